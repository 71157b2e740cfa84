/** Messages of the volume reader to the daemon. The content of a file follows its `file` message. */
export type Frame =
  /** The reader has dropped its privileges. `uid` is its user; null without users. */
  | { readonly kind: 'ready'; readonly uid: number | null }
  | { readonly kind: 'folder'; readonly path: string; readonly mode: number }
  | FileFrame
  /** Ends a file. `padded` is the number of zero bytes in place of content that disappeared during the read. */
  | { readonly kind: 'end'; readonly padded: number }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  /** A hard link to a file that the reader has already sent. */
  | { readonly kind: 'same'; readonly path: string; readonly target: string }
  | { readonly kind: 'skipped'; readonly path: string; readonly reason: string }
  /** Something that is in the backup, but not as expected. */
  | { readonly kind: 'note'; readonly path: string; readonly reason: string }
  /** Shows that the reader works, during the copy of a large database. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'done' }

export interface FileFrame {
  readonly kind: 'file'
  readonly path: string
  readonly mode: number
  /** Milliseconds since 1970. */
  readonly mtime: number
  readonly bytes: number
  readonly isDatabase: boolean
}

/** Maximum size of one message in bytes: two paths and their escapes. */
export const maxFrameBytes = 64 * 1024

/** Maximum length of a path inside a volume, in bytes. The restored path must stay below PATH_MAX (4096). */
export const maxPathBytes = 2_000

/** Maximum depth of a folder inside a volume. */
export const maxDepth = 100

/** Encodes a message as its length in four bytes and JSON. */
export function encodeFrame(frame: Frame): Buffer {
  const text = Buffer.from(JSON.stringify(frame))
  const encoded = Buffer.allocUnsafe(4 + text.length)
  encoded.writeUInt32BE(text.length)
  text.copy(encoded, 4)
  return encoded
}
