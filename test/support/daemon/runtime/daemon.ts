import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { AppSpec, Instance } from '../../../../daemon/ports.ts'

const program = fileURLToPath(new URL('daemon-program.ts', import.meta.url))

export interface KillableDaemon {
  /** The next line that it says. */
  said(): Promise<string>
  /** What it started, when it has. */
  started(): Promise<Instance[]>
  kill(): Promise<void>
}

/** Starts a daemon in a process of its own. */
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
  const said = async () => (await lines.next()).value ?? ''

  return {
    said,
    async started() {
      for (let line = await said(); line !== ''; line = await said()) {
        if (line.startsWith('[')) return JSON.parse(line) as Instance[]
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
