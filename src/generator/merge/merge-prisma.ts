import { type Merged, showHunk, type Texts } from './merge.ts'

/** An entry of a list: a block of the file, or a line of a block. */
interface Entry {
  /** Identifies the entry in all versions: `model Post`, or the name of a field. */
  readonly key: string
  readonly text: string
}

/**
 * Merges three versions of `schema.prisma`: models and other blocks by name, and their fields by name. Spaces that
 * align the fields do not count as changes.
 */
export function mergePrisma({ base, disk, next }: Texts): Merged {
  const hunks: string[] = []
  const merge = (side: Side) =>
    joinBlocks(
      mergeEntries([blocksOf(base), blocksOf(disk), blocksOf(next)], (texts) =>
        mergeBlock(texts, side, (hunk) => side === 'mine' && hunks.push(hunk)),
      ),
    )
  const [mine, theirs] = [merge('mine'), merge('theirs')]
  return { hunks, mine, theirs }
}

type Side = 'mine' | 'theirs'
type Triple<Item> = readonly [base: Item, disk: Item, next: Item]
type Merger = (texts: Triple<string | undefined>) => string | undefined

/** Merges lists by key, in the order of the person's list. New entries follow the entry that they follow in `next`. */
function mergeEntries([base, disk, next]: Triple<readonly Entry[]>, merge: Merger): string[] {
  const textOf = (entries: readonly Entry[], key: string) =>
    entries.find((entry) => entry.key === key)?.text
  const merged: { key: string; text: string }[] = []
  for (const { key, text } of disk) {
    const result = merge([textOf(base, key), text, textOf(next, key)])
    if (result !== undefined) merged.push({ key, text: result })
  }
  for (const [index, { key, text }] of next.entries()) {
    if (textOf(disk, key) !== undefined) continue
    const result = merge([textOf(base, key), undefined, text])
    if (result === undefined) continue
    const before = next.slice(0, index).map((each) => each.key)
    const place = merged.findLastIndex((each) => before.includes(each.key))
    merged.splice(place + 1, 0, { key, text: result })
  }
  return merged.map(({ text }) => text)
}

function mergeBlock(
  texts: Triple<string | undefined>,
  side: Side,
  report: (hunk: string) => void,
): string | undefined {
  const simple = mergeSimply(texts)
  if (simple.isMerged) return simple.text
  const [base, disk, next] = texts
  if (base === undefined || disk === undefined || next === undefined) {
    report(showHunk(disk ?? '', next ?? ''))
    return side === 'mine' ? disk : next
  }
  return mergeEntries([linesOf(base), linesOf(disk), linesOf(next)], (lines) => {
    const line = mergeSimply(lines)
    if (line.isMerged) return line.text
    report(showHunk(lines[1] ?? '', lines[2] ?? ''))
    return side === 'mine' ? lines[1] : lines[2]
  }).join('\n')
}

function mergeSimply([base, disk, next]: Triple<string | undefined>):
  | { isMerged: true; text: string | undefined }
  | { isMerged: false } {
  const isSame = (one: string | undefined, other: string | undefined) =>
    one?.replace(/\s+/g, ' ') === other?.replace(/\s+/g, ' ')
  if (isSame(disk, next) || isSame(base, next)) return { isMerged: true, text: disk }
  if (isSame(base, disk)) return { isMerged: true, text: next }
  return { isMerged: false }
}

/** Splits a schema at its blocks. Comments above a block belong to it. */
function blocksOf(schema: string): Entry[] {
  const blocks = schema.split(/(?<=^\}\n)/m).filter((text) => text.trim() !== '')
  return distinct(
    blocks.map((text) => {
      const trimmed = text.trim()
      const [key = trimmed] = /^\w+\s+\w+(?=\s*\{)/m.exec(trimmed) ?? []
      return { key: key.replace(/\s+/g, ' '), text: trimmed }
    }),
  )
}

function linesOf(block: string): Entry[] {
  return distinct(
    block.split('\n').map((text) => {
      const trimmed = text.trim()
      const isField = /^\w/.test(trimmed) && !trimmed.endsWith('{')
      return { key: isField ? (trimmed.split(/\s/, 1)[0] ?? '') : trimmed, text }
    }),
  )
}

/** Numbers entries with equal keys, for example empty lines. */
function distinct(entries: readonly Entry[]): Entry[] {
  const counts = new Map<string, number>()
  return entries.map(({ key, text }) => {
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return { key: `${key} ${count}`, text }
  })
}

function joinBlocks(blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`
}
