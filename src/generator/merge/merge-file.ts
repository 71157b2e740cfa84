import type { Merge, Merged, Texts, Versions } from './merge.ts'
import { mergeLines } from './merge-lines.ts'
import { withRenamedLocals } from './renamed-locals.ts'

/**
 * Merges three versions of a file: takes the text of the only side that changed the file, or combines the changes of
 * both sides. Lines that conflict are merged by meaning, if the type of the file is known. A file with CRLF on disk
 * keeps CRLF.
 */
export async function mergeFile(path: string, versions: Versions): Promise<Merge> {
  const { base, disk, next, style } = versions
  if (!disk?.includes('\r\n')) return mergeTexts(path, versions)
  const merge = await mergeTexts(path, {
    base: base && withLf(base),
    disk: withLf(disk),
    next: withLf(next),
    style,
  })
  const withCrLf = (text: string) => text.replaceAll('\n', '\r\n')
  if (merge.kind === 'write') return { ...merge, text: withCrLf(merge.text) }
  if (merge.kind !== 'conflict' || merge.mine === undefined || merge.theirs === undefined)
    return merge
  return { ...merge, mine: withCrLf(merge.mine), theirs: withCrLf(merge.theirs) }
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

async function mergeTexts(path: string, { base, disk, next, style }: Versions): Promise<Merge> {
  if (disk === next) return { kind: 'keep', reason: 'as it is' }
  if (base === next)
    return { kind: 'keep', reason: disk === undefined ? 'deleted by you' : 'changed by you alone' }
  if (disk === undefined) {
    if (base === undefined) return { kind: 'write', text: next, reason: 'new' }
    return { kind: 'keep', reason: 'deleted or moved by you, lacks this change', risk: 'review' }
  }
  if (disk === base) return { kind: 'write', text: next, reason: 'as emitted last time' }
  if (base === undefined) {
    return {
      kind: 'conflict',
      reason: 'exists, and .strata/base has no record that strata wrote it',
      hunks: [],
    }
  }
  return outcomeOf(await mergeBoth(path, { base, disk, next, style }), disk)
}

async function mergeBoth(path: string, versions: Texts): Promise<Merged> {
  const texts = isScript(path) ? withRenamedLocals(versions) : versions
  const byLines = mergeLines(texts)
  if (byLines.hunks.length === 0) return byLines
  return (await mergeByMeaning(path, texts)) ?? byLines
}

/** Loads the merge of a file's type. Most merges need only lines, and parsers take long to load. */
async function mergeByMeaning(path: string, texts: Texts): Promise<Merged | undefined> {
  if (path.endsWith('.json')) return (await import('./merge-json.ts')).mergeJson(texts)
  if (path.endsWith('.prisma')) return (await import('./merge-prisma.ts')).mergePrisma(texts)
  if (isScript(path)) return (await import('./merge-script.ts')).mergeScript(path, texts)
  return undefined
}

function isScript(path: string): boolean {
  return /\.(ts|mjs)$/.test(path)
}

function outcomeOf({ hunks, mine, theirs }: Merged, disk: string): Merge {
  if (hunks.length > 0) {
    const reason = 'you and the generator changed the same lines'
    return { kind: 'conflict', reason, hunks, mine, theirs }
  }
  return mine === disk
    ? { kind: 'keep', reason: 'as it is' }
    : { kind: 'write', text: mine, reason: 'merged with your changes', risk: 'review' }
}
