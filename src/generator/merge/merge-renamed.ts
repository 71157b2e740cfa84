import { diffIndices } from 'node-diff3'
import type { Merge, Texts } from './merge.ts'
import { mergeFile } from './merge-file.ts'

/** The new names in a file. */
export interface NewNames {
  /** The person's text with the new names, as far as they are known. It has the same lines. */
  readonly disk: string
  /** Returns an emitted line with the new names. */
  inLine(line: string): string
}

/**
 * Merges an edited file whose names change. Gives the emitted base and the emitted lines of the person's text the new names
 * first: then they differ from the new text only if its lines break at other places.
 */
export async function mergeRenamed(path: string, texts: Texts, names: NewNames): Promise<Merge> {
  const isCrLf = texts.disk.includes('\r\n')
  const [disk, renamed] = [withLf(texts.disk).split('\n'), withLf(names.disk).split('\n')]
  const style = await styleOf(path, { ...texts, disk: withLf(texts.disk) })
  const base = (await style(texts.base)).split('\n')
  const next = await style(texts.next)
  const known = new Set(next.split('\n'))
  const emitted = changedLines(base, next.split('\n'))
  const newBase = base.map((line, at) => {
    if (known.has(line)) return line
    const renamed = names.inLine(line)
    // A name can have two new spellings (`full_name`, `fullName`): the emitted line decides.
    return known.has(renamed) ? renamed : (emitted.get(at) ?? renamed)
  })
  const newDisk = [...renamed]
  for (const { from, to } of commonLines(base, disk)) newDisk[to] = newBase[from] ?? ''
  for (const { buffer1, buffer2 } of diffIndices(base, disk)) {
    for (let from = buffer1[0]; from < buffer1[0] + buffer1[1]; from++)
      renameContinued(base[from] ?? '', newBase[from] ?? '', newDisk, buffer2)
  }
  const merge = await mergeFile(path, {
    base: newBase.join('\n'),
    disk: newDisk.join('\n'),
    next,
    style: texts.style,
  })
  // `keep` means the text with the new names, which is not on disk yet.
  const merged: Merge =
    merge.kind === 'keep'
      ? { kind: 'write', text: newDisk.join('\n'), reason: merge.reason, risk: 'review' }
      : merge
  if (!isCrLf || merged.kind !== 'write') return merged
  return { ...merged, text: merged.text.replaceAll('\n', '\r\n') }
}

/** Returns the new line of each changed line, where as many lines come as go. */
function changedLines(from: readonly string[], to: readonly string[]): Map<number, string> {
  const lines = new Map<number, string>()
  for (const { buffer1, buffer2 } of diffIndices([...from], [...to])) {
    if (buffer1[1] !== buffer2[1]) continue
    for (let at = 0; at < buffer1[1]; at++) lines.set(buffer1[0] + at, to[buffer2[0] + at] ?? '')
  }
  return lines
}

/** Renames an emitted line that the person continued, in a range of lines: `name: text(80).refine(mine),`. */
function renameContinued(
  line: string,
  renamed: string,
  lines: string[],
  [start, count]: readonly [number, number],
): void {
  const stem = (text: string) => text.trim().replace(/[,;]$/, '')
  if (stem(line) === stem(renamed)) return
  for (let at = start; at < start + count; at++) {
    if (lines[at]?.trim().startsWith(stem(line)))
      lines[at] = lines[at]?.replace(stem(line), () => stem(renamed)) ?? ''
  }
}

/** Returns the formatter of a script in the person's style. */
async function styleOf(path: string, texts: Texts): Promise<(text: string) => Promise<string>> {
  if (!/\.(ts|mjs)$/.test(path)) return async (text) => text
  const { scriptStyle } = await import('./script-style.ts')
  return (await scriptStyle(path, texts)).format
}

/** Pairs the lines that both texts have, by their indexes. */
function commonLines(
  from: readonly string[],
  to: readonly string[],
): readonly { readonly from: number; readonly to: number }[] {
  const pairs: { from: number; to: number }[] = []
  let [one, other] = [0, 0]
  const until = (end: number) => {
    while (one < end) pairs.push({ from: one++, to: other++ })
  }
  for (const { buffer1, buffer2 } of diffIndices([...from], [...to])) {
    until(buffer1[0])
    one = buffer1[0] + buffer1[1]
    other = buffer2[0] + buffer2[1]
  }
  until(from.length)
  return pairs
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
