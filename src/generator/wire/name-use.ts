import type { Node } from 'ts-morph'
import type { Edit } from './edit.ts'
import type { WireFile } from './wire-file.ts'

/** The place of added code. Names resolve in the scope of the node. */
export interface Place {
  readonly file: WireFile
  readonly node: Node
}

/** A name in added code. A person may have renamed it in the file. */
export interface NameUse {
  /** The name in emitted code. */
  readonly emittedName: string
  /** The import statement, for an imported name. */
  readonly statement?: string
  /** Returns the name at the place, and the edits that make it available. Throws `PlaceNotFound`. */
  readonly resolve: (place: Place) => ResolvedName
}

export interface ResolvedName {
  readonly name: string
  readonly edits: readonly Edit[]
}

/** Names and quote style of the file, for writing code. */
export interface CodeNames {
  /** Missing imports are added in the order of the calls. */
  readonly nameOf: (use: NameUse) => string
  readonly quote: (text: string) => string
}

/** Writes code with the names of the place. Returns the code and the edits that the names need. */
export function writeForFile<Code>(place: Place, write: (names: CodeNames) => Code) {
  const found = new Map<NameUse, ResolvedName>()
  const { quote } = place.file.style
  const code = write({
    nameOf: (use) => {
      const known = found.get(use) ?? use.resolve(place)
      found.set(use, known)
      return known.name
    },
    quote: (text) => quote + text + quote,
  })
  return { code, edits: [...found.values()].flatMap(({ edits }) => edits) }
}

/** Writes code with the emitted names. Returns the code and its names in the order of use. */
export function writeAsEmitted<Code>(write: (names: CodeNames) => Code) {
  const uses: NameUse[] = []
  const code = write({
    nameOf: (use) => {
      uses.push(use)
      return use.emittedName
    },
    quote: (text) => `'${text}'`,
  })
  return { code, uses }
}
