import type { Socket } from 'node:net'

/** Calls `onLine` with each received line. Destroys the socket if a line is longer than `maxBytes`. */
export function readLines(socket: Socket, maxBytes: number, onLine: (line: string) => void): void {
  let parts: Buffer[] = []
  let length = 0
  socket.on('data', (chunk: Buffer) => {
    let from = 0
    for (;;) {
      const end = chunk.indexOf(10, from)
      if (end === -1) break
      parts.push(chunk.subarray(from, end))
      const line = Buffer.concat(parts).toString()
      parts = []
      length = 0
      from = end + 1
      onLine(line)
    }
    if (from === chunk.length) return
    parts.push(from === 0 ? chunk : chunk.subarray(from))
    length += chunk.length - from
    if (length > maxBytes)
      socket.destroy(new Error(`received a line longer than ${maxBytes} bytes`))
  })
}

/** Writes a message as one line of JSON. No-op on a closed socket. */
export function writeLine(socket: Socket, message: object): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`)
}
