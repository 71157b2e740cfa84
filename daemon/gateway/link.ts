import { connect } from 'node:net'
import { readLines, writeLine } from './lines.ts'
import { type FromGateway, longestLine, parseFromGateway, type ToGateway } from './protocol.ts'

/** A connection to a living gateway. */
export interface Link {
  readonly pid: number
  /** The text it was started with. */
  readonly settings: string
  tell(message: ToGateway): void
  /** Resolves with whether the gateway has said that it is done; false when it has gone. */
  ask(make: (id: number) => ToGateway): Promise<boolean>
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
    const asked = new Map<number, (isDone: boolean) => void>()
    const closeListeners: (() => void)[] = []
    let messageListener: (message: FromGateway) => void = () => {}
    let lastId = 0
    let isOver = false

    const link = (hello: { pid: number; settings: string }): Link => ({
      pid: hello.pid,
      settings: hello.settings,
      tell: (message) => writeLine(socket, message),
      ask: (make) =>
        new Promise((tell) => {
          if (isOver) return tell(false)
          lastId += 1
          asked.set(lastId, tell)
          writeLine(socket, make(lastId))
        }),
      onMessage(listener) {
        messageListener = listener
      },
      onClose(listener) {
        if (isOver) listener()
        else closeListeners.push(listener)
      },
      close: () => socket.destroy(),
    })

    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      isOver = true
      resolve(undefined)
      for (const tell of asked.values()) tell(false)
      asked.clear()
      for (const listener of closeListeners) listener()
    })
    readLines(socket, longestLine, (line) => {
      const message = parseFromGateway(line)
      if (message === undefined) return
      if (message.type === 'hello') {
        clearTimeout(timer)
        resolve(link(message))
      } else if (message.type === 'done') {
        asked.get(message.id)?.(true)
        asked.delete(message.id)
      } else messageListener(message)
    })
  })
}
