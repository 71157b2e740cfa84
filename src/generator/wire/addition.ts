import type { Feature } from '../model/model.ts'
import type { Edit } from './edit.ts'
import { type CodeNames, type NameUse, writeAsEmitted } from './name-use.ts'
import type { WireFile } from './wire-file.ts'

/** A part of a feature's wiring in one file. */
export interface Addition {
  /** The emitted code, for a person to add by hand. */
  readonly lines: readonly string[]
  /** Returns no edits if the file contains the addition. Throws `PlaceNotFound`. */
  readonly edits: (file: WireFile) => readonly Edit[]
}

/** Lists the additions of a feature to one file. `adapter` is the store's suffix of repository files. */
export type Transform = (feature: Feature, adapter: string) => readonly Addition[]

/** Returns the lines to add by hand: imports, a comment that names the place, and the code. */
export function manualLines(where: string, write: (names: CodeNames) => string): readonly string[] {
  const { code, uses } = writeAsEmitted(write)
  return [...uses.flatMap(statementOf), `// ${where}:`, code]
}

function statementOf({ statement }: NameUse): readonly string[] {
  return statement === undefined ? [] : [statement]
}
