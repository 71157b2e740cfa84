import { connect } from 'node:net'
import { readLines, writeLine } from './lines.ts'
import { type FromGateway, maxLineBytes, parseFromGateway, type ToGateway } from './protocol.ts'

/** A connection to a living gateway. */
export interface Link {
  readonly pid: number
  /** The text it was started with. */
  readonly settings: string
  send(message: ToGateway): void
  /** Resolves with whether the gateway has said that it is done; false when it has gone. */
  request(make: (id: number) => ToGateway): Promise<boolean>
  onMessage(listener: (message: FromGateway) => void): void
  /** Calls at once when it is over already. */
  onClose(listener: () => void): void
  close(): void
}

/** Connects to the gateway that listens at a path; undefined when there is none, or none that greets in time. */
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
        new Promise((tell) => {
          if (isClosed) return tell(false)
          lastId += 1
          pendingRequests.set(lastId, tell)
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
      for (const tell of pendingRequests.values()) tell(false)
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
