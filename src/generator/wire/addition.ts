import type { Feature } from '../model/model.ts'
import type { Edit } from './edit.ts'
import { type Use, type Words, writeAsEmitted } from './name-use.ts'
import type { WireFile } from './wire-file.ts'

/** One thing that a feature adds to a wiring file. */
export interface Addition {
  /** What a person would add by hand, as emitted code has it. */
  readonly lines: readonly string[]
  /** None when it is there already. Throws `PlaceNotFound`. */
  readonly edits: (file: WireFile) => readonly Edit[]
}

/** What a feature adds to one file. `adapter` is the store's suffix of repository files. */
export type Transform = (feature: Feature, adapter: string) => readonly Addition[]

/** The lines to add by hand: what is brought in, a comment that says where, and the code. */
export function linesByHand(where: string, write: (words: Words) => string): readonly string[] {
  const { code, uses } = writeAsEmitted(write)
  return [...uses.flatMap(statementOf), `// ${where}:`, code]
}

function statementOf({ statement }: Use): readonly string[] {
  return statement === undefined ? [] : [statement]
}
