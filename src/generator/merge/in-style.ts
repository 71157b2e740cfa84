import { formatScript } from '../render/format.ts'
import type { Merge, Versions } from './merge.ts'

/**
 * Formats the text that a merge writes in the style of the project's formatter: new files, files without edits, and edited
 * files that the person has formatted completely.
 */
export async function inStyle(
  path: string,
  { base, disk, style }: Pick<Versions, 'base' | 'disk' | 'style'>,
  merge: Merge,
): Promise<Merge> {
  if (style === undefined || merge.kind !== 'write') return merge
  const isFormatted =
    disk === undefined ||
    withLf(disk) === base ||
    (await formatScript(path, withLf(disk), style)) === withLf(disk)
  if (!isFormatted) return merge
  const text = (await formatScript(path, withLf(merge.text), style)) ?? merge.text
  const isCrLf = disk?.includes('\r\n') === true
  return { ...merge, text: isCrLf ? withLf(text).replaceAll('\n', '\r\n') : text }
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
