import { chmodSync, renameSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { readLines, writeLine } from '../lines.ts'
import { type FromGateway, maxLineBytes, parseToGateway, type ToGateway } from '../protocol.ts'

export interface Control {
  /** Takes the socket's path, whoever had it. */
  listen(path: string): Promise<void>
  /** Takes no more connections, and tells the daemon so; those that are open stay. */
  retire(): void
}

export interface ControlDeps {
  readonly hello: FromGateway
  /** What a message asks for; its answer, if it has one. */
  readonly handle: (message: ToGateway) => FromGateway | undefined | Promise<FromGateway>
  /** The daemon there is now: the one that said `serve` last. `null` when it has gone. */
  readonly onDaemonChange: (send: ((message: FromGateway) => void) | null) => void
  readonly log: (message: string) => void
}

/** The gateway's end of the control socket. */
export function createControl({ hello, handle, onDaemonChange, log }: ControlDeps): Control {
  let daemon: Socket | null = null
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('close', () => {
      if (socket !== daemon) return
      daemon = null
      onDaemonChange(null)
    })
    const send = (message: FromGateway) => writeLine(socket, message)
    send(hello)
    readLines(socket, maxLineBytes, (line) => {
      const message = parseToGateway(line)
      if (message === undefined) {
        log('the control socket said something that this gateway does not understand')
        socket.destroy()
        return
      }
      if (message.type === 'serve') {
        daemon = socket
        onDaemonChange(send)
        return
      }
      const answer = handle(message)
      if (answer instanceof Promise) void answer.then(send)
      else if (answer) send(answer)
    })
  })

  return {
    listen: (path) =>
      new Promise((resolve, reject) => {
        const temporary = `${path}.${process.pid}`
        rmSync(temporary, { force: true })
        server.once('error', reject)
        server.listen(temporary, () => {
          chmodSync(temporary, 0o600)
          renameSync(temporary, path)
          resolve()
        })
      }),
    retire() {
      server.close()
      if (daemon) writeLine(daemon, { type: 'retired' } satisfies FromGateway)
    },
  }
}
