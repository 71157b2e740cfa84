import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import type { AppUnderTest } from './check.ts'
import { type Origin, originOf } from './http.ts'

/** A TCP connection for raw bytes. */
export interface RawConnection {
  readonly write: (text: string) => void
  /** Resolves with the received text once it matches; rejects if the application closes first. */
  readonly until: (pattern: RegExp) => Promise<string>
  /** Resolves with the received text once the application has closed its side. */
  readonly ended: () => Promise<string>
  /** Returns whether the application has closed the connection. */
  readonly isClosed: () => boolean
  readonly destroy: () => void
}

const answerWithinMs = 15_000

/** Opens a TCP connection to the application. Rejects with an AssertionError if it is refused. */
export async function openRaw(app: AppUnderTest): Promise<RawConnection> {
  const socket = connect(originOf(app))
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', ({ message }) => reject(new assert.AssertionError({ message })))
  })
  socket.on('error', () => socket.destroy())
  const received: Buffer[] = []
  socket.on('data', (chunk) => received.push(chunk))
  const text = (): string => Buffer.concat(received).toString('latin1')
  return {
    write: (bytes) => {
      socket.write(bytes, 'latin1')
    },
    until: (pattern) => waitFor(socket, 'data', text, (all) => pattern.test(all)),
    ended: () => waitFor(socket, 'close', text, () => socket.destroyed),
    isClosed: () => socket.destroyed,
    destroy: () => {
      socket.destroy()
    },
  }
}

/** Returns the header lines of every request to the application. */
export function headerLines({ headers = {} }: AppUnderTest): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
}

/** Returns whether a server accepts connections at the address. */
export function isListening(origin: Origin): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(origin)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function waitFor(
  socket: Socket,
  event: 'data' | 'close',
  text: () => string,
  isDone: (all: string) => boolean,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => finish(`nothing more came in ${answerWithinMs} ms`),
      answerWithinMs,
    )
    const look = (): void => {
      if (isDone(text())) finish()
    }
    const closed = (): void => finish(isDone(text()) ? undefined : 'the connection was closed')
    function finish(failure?: string): void {
      clearTimeout(late)
      socket.off(event, look)
      socket.off('close', closed)
      if (failure === undefined) resolve(text())
      else
        reject(new assert.AssertionError({ message: `${failure}, after: ${text().slice(0, 400)}` }))
    }
    socket.on(event, look)
    socket.on('close', closed)
    if (socket.destroyed) closed()
    else look()
  })
}
