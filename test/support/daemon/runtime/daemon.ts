import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { AppSpec } from '../../../../daemon/ports.ts'
import type { ProcessInstance } from '../../../../daemon/runtime/process/process-instance.ts'

const program = fileURLToPath(new URL('daemon-program.ts', import.meta.url))

export interface KillableDaemon {
  /** Returns the next output line. */
  readLine(): Promise<string>
  /** Waits for the started instances. */
  started(): Promise<ProcessInstance[]>
  kill(): Promise<void>
}

/** Starts a daemon in its own process. */
export function startKillableDaemon(folder: string, apps: readonly AppSpec[]): KillableDaemon {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', program, folder, JSON.stringify(apps)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: fileURLToPath(new URL('.', import.meta.url)),
    },
  )
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const readLine = async () => (await lines.next()).value ?? ''

  return {
    readLine,
    async started() {
      for (let line = await readLine(); line !== ''; line = await readLine()) {
        if (line.startsWith('[')) return JSON.parse(line) as ProcessInstance[]
      }
      throw new Error('the daemon ended')
    },
    kill: () => killed(child),
  }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
