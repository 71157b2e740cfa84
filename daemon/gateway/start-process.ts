import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { DaemonError } from '../errors.ts'

/**
 * Starts a gateway process that outlives the daemon. Resolves when the gateway is ready. Otherwise throws `unavailable`
 * with the gateway's start error.
 */
export function startProcess(options: {
  readonly argv: readonly string[]
  readonly settings: string
  readonly folder: string
  readonly logPath: string
  readonly timeoutMs: number
}): Promise<void> {
  const { argv, settings, folder, logPath, timeoutMs } = options
  const [program = '', ...args] = argv
  const output = openSync(logPath, 'a', 0o600)
  const child = spawn(program, [...args, settings, '--ready-fd=3'], {
    cwd: folder,
    detached: true,
    // Pass an empty environment: the daemon's environment contains secrets.
    env: {},
    stdio: ['ignore', output, output, 'pipe'],
  })
  closeSync(output)
  child.unref()
  return new Promise((resolve, reject) => {
    const ready = child.stdio[3] as Readable // The `stdio` option above makes it a pipe.
    const fail = (reason: string) => {
      clearTimeout(timer)
      reject(new DaemonError('unavailable', reason))
    }
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail(`the gateway did not start within ${timeoutMs / 1_000} s: see ${logPath}`)
    }, timeoutMs)
    let readyText = ''
    ready.on('data', (chunk: Buffer) => {
      readyText = (readyText + chunk).slice(0, 1_000)
    })
    ready.on('error', () => {})
    ready.on('close', () => {
      if (readyText.trim() !== 'ready') return fail(readyText.trim() || endedEarly(logPath))
      clearTimeout(timer)
      resolve()
    })
    child.on('error', (error) => fail(`can't start the gateway's program: ${error.message}`))
  })
}

function endedEarly(logPath: string): string {
  return `the gateway exited during its start: see ${logPath}`
}
