import { Header, type HeaderData, Pax } from 'tar'

const blockBytes = 512

/** Encodes the header of a tar entry, with an extended header (pax) for a long path. */
export function tarHeader(entry: {
  readonly path: string
  readonly type: 'File' | 'Directory' | 'SymbolicLink' | 'Link'
  readonly mode: number
  /** Milliseconds since 1970. */
  readonly mtime: number
  readonly size?: number
  readonly linkpath?: string
}): Buffer {
  const { path, linkpath = '' } = entry
  const data: HeaderData = { ...entry, size: entry.size ?? 0, mtime: new Date(entry.mtime) }
  // An ustar header stores 100 bytes of each path, without a declaration of their encoding.
  const isLong = [path, linkpath].some((text) => text.length > 99 || !isAscii(text))
  const extended = isLong ? new Pax({ path, ...(linkpath && { linkpath }) }).encode() : ''
  const header = Buffer.alloc(blockBytes)
  new Header(data).encode(header, 0)
  return Buffer.concat([Buffer.from(extended), header])
}

/** Returns the zeros between the end of a file and the next entry. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes)
}

/** The end of a tar. */
export const tarEnd = Buffer.alloc(2 * blockBytes)

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}
