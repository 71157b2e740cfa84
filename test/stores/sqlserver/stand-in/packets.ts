/** One client message: a batch, a procedure call, a log-in. */
export interface Message {
  readonly type: number
  readonly body: Buffer
  /** Whether the client asks to reset the connection before the message. */
  readonly isReset: boolean
}

const headerLength = 8
const lastOfMessage = 0x01
const resetConnection = 0x08
const reply = 0x04

/** The packet size before a log-in negotiates another. */
const longestPacket = 4_096

/** Returns a function that takes received bytes and calls back for each complete message. */
export function messagesTo(tell: (message: Message) => void): (bytes: Buffer) => void {
  let unread = Buffer.alloc(0)
  let parts: Buffer[] = []
  return (bytes) => {
    unread = Buffer.concat([unread, bytes])
    while (unread.length >= headerLength && unread.length >= unread.readUInt16BE(2)) {
      const packet = unread.subarray(0, unread.readUInt16BE(2))
      unread = unread.subarray(packet.length)
      parts.push(packet.subarray(headerLength))
      const [type = 0, status = 0] = packet
      if ((status & lastOfMessage) === 0) continue
      tell({ type, body: Buffer.concat(parts), isReset: (status & resetConnection) !== 0 })
      parts = []
    }
  }
}

/** Splits an answer into packets. */
export function packetsOf(answer: Buffer): Buffer {
  const size = longestPacket - headerLength
  const count = Math.max(1, Math.ceil(answer.length / size))
  const packets = Array.from({ length: count }, (_, at) => {
    const part = answer.subarray(at * size, (at + 1) * size)
    const header = Buffer.alloc(headerLength)
    header[0] = reply
    header[1] = at === count - 1 ? lastOfMessage : 0
    header.writeUInt16BE(part.length + headerLength, 2)
    header[6] = at + 1
    return Buffer.concat([header, part])
  })
  return Buffer.concat(packets)
}
