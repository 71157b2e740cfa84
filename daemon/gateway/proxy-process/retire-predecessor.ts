import { connect } from 'node:net'
import { readLines, writeLine } from '../lines.ts'
import { maxLineBytes, parseFromGateway } from '../protocol.ts'

/**
 * Tells the gateway at the control socket, if any, to stop listening. Resolves when the gateway has stopped, or after
 * `timeoutMs`.
 */
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
