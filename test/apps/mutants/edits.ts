import type { SourceMutant } from '../../support/apps/mutant-copy.ts'

/** Simulates the delay of a store on the network. The emitted SQLite store answers at once. */
export const pause =
  'for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 10))'

export type Edit = readonly [name: string, find: string, replace: string, noticedBy: string]

/** Edits that break an application, by file. */
export type Edits = Readonly<Record<string, readonly Edit[]>>

export function mutantsOf(edits: Edits): readonly SourceMutant[] {
  return Object.entries(edits).flatMap(([file, ofFile]) =>
    ofFile.map(([name, find, replace, noticedBy]) => ({ name, file, find, replace, noticedBy })),
  )
}
