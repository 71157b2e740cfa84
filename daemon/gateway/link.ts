import { connect } from 'node:net'
import { readLines, writeLine } from './lines.ts'
import { type FromGateway, maxLineBytes, parseFromGateway, type ToGateway } from './protocol.ts'

/** A connection to a running gateway. */
export interface Link {
  readonly pid: number
  /** The settings JSON with which the gateway was started. */
  readonly settings: string
  send(message: ToGateway): void
  /**
   * Sends a message with a new id. Resolves with true at the gateway's `done` message, or false if the connection
   * closes.
   */
  request(make: (id: number) => ToGateway): Promise<boolean>
  onMessage(listener: (message: FromGateway) => void): void
  /** Adds a listener for the end of the connection. Calls the listener at once if the connection is already closed. */
  onClose(listener: () => void): void
  close(): void
}

/** Connects to the gateway at a socket path. Resolves with undefined if no gateway sends `hello` in time. */
export function connectLink(path: string, timeoutMs: number): Promise<Link | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const timer = setTimeout(() => socket.destroy(), timeoutMs)
    const pendingRequests = new Map<number, (isDone: boolean) => void>()
    const closeListeners: (() => void)[] = []
    let messageListener: (message: FromGateway) => void = () => {}
    let lastId = 0
    let isClosed = false

    const link = (hello: { pid: number; settings: string }): Link => ({
      pid: hello.pid,
      settings: hello.settings,
      send: (message) => writeLine(socket, message),
      request: (make) =>
        new Promise((resolve) => {
          if (isClosed) return resolve(false)
          lastId += 1
          pendingRequests.set(lastId, resolve)
          writeLine(socket, make(lastId))
        }),
      onMessage(listener) {
        messageListener = listener
      },
      onClose(listener) {
        if (isClosed) listener()
        else closeListeners.push(listener)
      },
      close: () => socket.destroy(),
    })

    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      isClosed = true
      resolve(undefined)
      for (const settle of pendingRequests.values()) settle(false)
      pendingRequests.clear()
      for (const listener of closeListeners) listener()
    })
    readLines(socket, maxLineBytes, (line) => {
      const message = parseFromGateway(line)
      if (message === undefined) return
      if (message.type === 'hello') {
        clearTimeout(timer)
        resolve(link(message))
      } else if (message.type === 'done') {
        pendingRequests.get(message.id)?.(true)
        pendingRequests.delete(message.id)
      } else messageListener(message)
    })
  })
}
