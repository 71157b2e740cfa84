import { createHash } from 'node:crypto'

/** A decided change: what is left to do to turn the old project into the new one. */
export interface Journal {
  readonly version: 1
  readonly steps: readonly Step[]
}

/** Paths are relative to the root, with `/`; hashes are sha256 in hex. */
export type Step =
  | {
      readonly kind: 'move'
      readonly path: string
      /** Name of the new text in the staging folder. It is gone once it was moved. */
      readonly staged: string
      /** Absent: the file is new. */
      readonly before?: string | undefined
      /** Absent: the text is secret, and not even its hash is stored. */
      readonly after?: string | undefined
    }
  | { readonly kind: 'delete'; readonly path: string; readonly before: string }

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
