import { diff3Merge } from 'node-diff3'
import { type Merged, showHunk, type Texts } from './merge.ts'

/** Merges three versions of a text by lines. */
export function mergeLines({ base, disk, next }: Texts): Merged {
  const regions = diff3Merge(lines(disk), lines(base), lines(next), { excludeFalseConflicts: true })
  const hunks = regions.flatMap(({ conflict }) =>
    conflict ? [showHunk(conflict.a.join('\n'), conflict.b.join('\n'))] : [],
  )
  const textOf = (side: 'a' | 'b') =>
    regions.flatMap(({ ok, conflict }) => ok ?? conflict?.[side] ?? []).join('\n')
  return { hunks, mine: textOf('a'), theirs: textOf('b') }
}

function lines(text: string): string[] {
  return text.split('\n')
}
