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

/** Lists the additions of a feature to one file. */
export type Transform = (feature: Feature, surroundings: Surroundings) => readonly Addition[]

/** The parts of a project that a feature's wiring depends on. */
export interface Surroundings {
  /** The store's suffix of repository files: `post.repository.<adapter>.ts`. */
  readonly adapter: string
  /** True if routes of the feature need a token. */
  readonly isProtected?: boolean
  /** Repositories of other features that the feature's service uses: the dependency, and its name in the container. */
  readonly repositories?: readonly { readonly name: string; readonly property: string }[]
}

/** Returns the lines to add by hand: imports, a comment that names the place, and the code. */
export function manualLines(where: string, write: (names: CodeNames) => string): readonly string[] {
  const { code, uses } = writeAsEmitted(write)
  return [...uses.flatMap(statementOf), `// ${where}:`, code]
}

function statementOf({ statement }: NameUse): readonly string[] {
  return statement === undefined ? [] : [statement]
}
