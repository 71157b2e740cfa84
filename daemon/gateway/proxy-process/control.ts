import { chmodSync, renameSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { readLines, writeLine } from '../lines.ts'
import { type FromGateway, maxLineBytes, parseToGateway, type ToGateway } from '../protocol.ts'

export interface Control {
  /** Listens at the path. Replaces the control socket of a previous gateway. */
  listen(path: string): Promise<void>
  /** Accepts no more connections and notifies the daemon. Open connections stay open. */
  retire(): void
}

export interface ControlDeps {
  readonly hello: FromGateway
  /** Executes a message. Returns the answer, if any. */
  readonly handle: (message: ToGateway) => FromGateway | undefined | Promise<FromGateway>
  /** Called with the connection that sent `serve` last, or null when that connection closes. */
  readonly onDaemonChange: (send: ((message: FromGateway) => void) | null) => void
  readonly log: (message: string) => void
}

/** Creates the gateway's side of the control socket. */
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
        log('closed a control connection after an unknown message')
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
