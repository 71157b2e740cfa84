import type { Readable } from 'node:stream'

/** A packet with data, or `flush`, in git's pkt-line format. */
export type Packet = string | typeof flush

export const flush = Symbol('flush')

/** Largest packet of git, with its length of four digits. */
const maxBytes = 65_520

/** Returns a packet with its length. Throws RangeError for more text than a packet can hold. */
export function encodePacket(packet: Packet): Buffer {
  if (packet === flush) return Buffer.from('0000')
  const data = Buffer.from(packet, 'utf8')
  const length = data.length + 4
  if (length > maxBytes) throw new RangeError(`a packet of ${length} bytes is too large`)
  return Buffer.concat([Buffer.from(length.toString(16).padStart(4, '0')), data])
}

/**
 * Returns a function that reads the next packet, without the line feed at its end. The function returns undefined at the
 * end of the stream, and throws Error for a malformed packet.
 */
export function createPacketReader(source: Readable): () => Promise<Packet | undefined> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let rest = Buffer.alloc(0)

  async function read(size: number): Promise<Buffer | undefined> {
    while (rest.length < size) {
      const { done, value } = await chunks.next()
      if (done) return undefined
      rest = Buffer.concat([rest, value])
    }
    const found = rest.subarray(0, size)
    rest = rest.subarray(size)
    return found
  }

  return async () => {
    const digits = (await read(4))?.toString('latin1')
    if (digits === undefined) return undefined
    if (!/^[0-9a-f]{4}$/i.test(digits)) throw new Error('malformed packet')
    const length = Number.parseInt(digits, 16)
    if (length === 0) return flush
    if (length < 4 || length > maxBytes) throw new Error('malformed packet')
    const data = await read(length - 4)
    return data?.toString('utf8').replace(/\n$/, '')
  }
}
