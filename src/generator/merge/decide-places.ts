import { diffComm } from 'node-diff3'

/** A place of a file that both sides changed. */
export interface Place {
  readonly path: string
  /** The position among the file's places, from 1, and their number. */
  readonly number: number
  readonly count: number
  /** The unchanged lines just before the place. */
  readonly before: readonly string[]
  readonly mine: readonly string[]
  readonly theirs: readonly string[]
}

/** The lines of a decided place. */
export type Decision = readonly string[] | 'later'

const contextLines = 3

/**
 * Returns a text in which each place that differs between both sides has the decided lines, or undefined as soon as a place is
 * left for later.
 */
export async function decidePlaces(
  path: string,
  { mine, theirs }: { readonly mine: string; readonly theirs: string },
  decide: (place: Place) => Promise<Decision>,
): Promise<string | undefined> {
  const regions = diffComm(mine.split('\n'), theirs.split('\n'))
  const count = regions.filter((region) => !('common' in region)).length
  const lines: string[] = []
  let number = 0
  for (const region of regions) {
    if ('common' in region) {
      lines.push(...region.common)
      continue
    }
    number += 1
    const before = lines.slice(-contextLines)
    const sides = { mine: region.buffer1, theirs: region.buffer2 }
    const decided = await decide({ path, number, count, before, ...sides })
    if (decided === 'later') return undefined
    lines.push(...decided)
  }
  return lines.join('\n')
}
