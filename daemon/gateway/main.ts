import { closeSync, writeSync } from 'node:fs'
import { runGateway } from './proxy-process/run-gateway.ts'
import { parseSettings } from './settings.ts'

/**
 * The gateway's program: `<settings as JSON> [--ready-fd=<n>]`. Says `ready`, or why it can't, on the descriptor it is
 * given, and closes it.
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
    // The daemon that started us has gone; the next one finds us by the socket.
  }
}
