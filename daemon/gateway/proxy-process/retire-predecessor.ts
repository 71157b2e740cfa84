import { connect } from 'node:net'
import { readLines, writeLine } from '../lines.ts'
import { maxLineBytes, parseFromGateway } from '../protocol.ts'

/** Tells the gateway that has the control socket, if there is one, to stop listening; resolves when it has, or does not answer. */
export function retirePredecessor(socketPath: string, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve()
    }
    const timer = setTimeout(end, timeoutMs)
    socket.on('error', end)
    socket.on('close', end)
    readLines(socket, maxLineBytes, (line) => {
      const message = parseFromGateway(line)
      if (message?.type === 'hello') writeLine(socket, { type: 'retire' })
      if (message?.type === 'retired') end()
    })
  })
}
