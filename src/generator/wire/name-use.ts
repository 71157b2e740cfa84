import type { Node } from 'ts-morph'
import type { Edit } from './edit.ts'
import type { WireFile } from './wire-file.ts'

/** Where code is to stand: its names are those that the node sees. */
export interface Place {
  readonly file: WireFile
  readonly node: Node
}

/** A name that added code uses, and how it is found in a file that may call it otherwise. */
export interface Use {
  /** What emitted code calls it. */
  readonly usual: string
  /** The line that brings it in, where one does. */
  readonly statement?: string
  /** What it is called in the place, and the edits that make it so. Throws `PlaceNotFound`. */
  readonly find: (place: Place) => Found
}

export interface Found {
  readonly name: string
  readonly edits: readonly Edit[]
}

/** What code is written with: the name of each thing it uses, and the file's quotes. */
export interface Words {
  /** To be asked in the order of the imports: what is brought in first stands first. */
  readonly nameOf: (use: Use) => string
  readonly quote: (text: string) => string
}

/** The code with the names it has in the place, and the edits that these names need. */
export function writeIn<Code>(place: Place, write: (words: Words) => Code) {
  const found = new Map<Use, Found>()
  const { quote } = place.file.style
  const code = write({
    nameOf: (use) => {
      const known = found.get(use) ?? use.find(place)
      found.set(use, known)
      return known.name
    },
    quote: (text) => quote + text + quote,
  })
  return { code, edits: [...found.values()].flatMap(({ edits }) => edits) }
}

/** The code as the template writes it, and what it uses in the order of use. */
export function writeAsEmitted<Code>(write: (words: Words) => Code) {
  const uses: Use[] = []
  const code = write({
    nameOf: (use) => {
      uses.push(use)
      return use.usual
    },
    quote: (text) => `'${text}'`,
  })
  return { code, uses }
}
