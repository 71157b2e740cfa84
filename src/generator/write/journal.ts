import { createHash } from 'node:crypto'

/** A committed change: the steps that turn the old project into the new one. */
export interface Journal {
  readonly version: 1
  readonly steps: readonly Step[]
}

/** Paths are relative to the root, with `/`; hashes are sha256 in hex. */
export type Step =
  | {
      readonly kind: 'move'
      readonly path: string
      /** Name of the new text in the staging folder. The move removes it from there. */
      readonly staged: string
      /** Hash of the previous text; absent for a new file. */
      readonly before?: string | undefined
      /** Hash of the new text. Absent for a secret, whose hash is not stored either. */
      readonly after?: string | undefined
    }
  | { readonly kind: 'delete'; readonly path: string; readonly before: string }

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
