import { closeSync, writeSync } from 'node:fs'
import { runGateway } from './proxy-process/run-gateway.ts'
import { parseSettings } from './settings.ts'

/**
 * The gateway's entry point: `<settings as JSON> [--ready-fd=<n>]`. Writes `ready` or the start error to the descriptor
 * and closes the descriptor.
 */
const [, , text = '', ready = ''] = process.argv
const readyFd = Number(/^--ready-fd=(\d+)$/.exec(ready)?.[1] ?? 0)

start().catch((error) => {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${message}\n`)
  reportStart(message)
  process.exit(1)
})

async function start(): Promise<void> {
  await runGateway(parseSettings(text), text)
  reportStart('ready')
}

function reportStart(message: string): void {
  if (readyFd < 3) return
  try {
    writeSync(readyFd, `${message}\n`)
    closeSync(readyFd)
  } catch {
    // The daemon has exited. The next daemon finds this gateway by the control socket.
  }
}
