import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { eventually } from '../apps/eventually.ts'
import { type Daemon, newPlace, startDaemon } from './daemon.ts'

const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url))

/** `stratad-under-test.ts` and the gateway, bundled like the shipped daemon. */
export interface KillableProgram {
  /** Starts a daemon in a new folder. */
  start(env?: Readonly<Record<string, string>>): Promise<KillableDaemon>
  remove(): void
}

export interface KillableDaemon {
  /** Returns the current daemon. */
  daemon(): Daemon
  /** Makes the daemon kill itself at the first step, its successor at the second, and so on. */
  killAt(...steps: readonly string[]): void
  /** Makes the daemon kill another process at the step. */
  killOtherAt(step: string, pid: number): void
  /** Resolves with true when the step was reached `times` times in total, or with false after a timeout. */
  hasPassed(step: string, times: number): Promise<boolean>
  /** Waits for `deaths` kills. Resolves with the last successor when it answers. */
  awaitRestart(deaths?: number): Promise<Daemon>
}

export async function buildKillable(): Promise<KillableProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'stratad-killable-'))
  const { dependencies } = (await import('../../../package.json', { with: { type: 'json' } }))
    .default
  // The daemon under test uses no engine, no server and no authority, so it loads none of their bundled packages.
  const names = [
    ...Object.keys(dependencies),
    'dockerode',
    'acme-client',
    'pg',
    'mariadb',
    'mongodb',
  ]
  const bundle = await rolldown({
    input: {
      stratad: path('test/support/stratad/stratad-under-test.ts'),
      'strata-gateway': path('daemon/gateway/main.ts'),
    },
    platform: 'node',
    external: (id) => names.some((name) => id === name || id.startsWith(`${name}/`)),
  })
  await bundle.write({ dir: folder, format: 'cjs', entryFileNames: '[name].cjs' })
  await bundle.close()
  symlinkSync(path('node_modules'), join(folder, 'node_modules'))

  return {
    async start(env = {}) {
      const place = await newPlace()
      const killFile = join(place.dataDir, 'die-at')
      const program = [join(folder, 'stratad.cjs'), killFile]
      let daemon = await startDaemon({ env, place, program })
      return {
        daemon: () => daemon,
        hasPassed(step, times) {
          const steps = () => readFileSync(`${killFile}.passed`, 'utf8').split('\n')
          return eventually(() => steps().filter((one) => one === step).length >= times, 20_000)
        },
        killAt: (...steps) => writeFileSync(killFile, steps.join('\n')),
        killOtherAt: (step, pid) => writeFileSync(killFile, `${step} ${pid}`),
        async awaitRestart(deaths = 1) {
          await daemon.ended()
          for (let left = deaths - 1; left > 0; left -= 1) await runUntilKilled(daemon)
          daemon = await daemon.restart()
          return daemon
        },
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Starts a daemon that kills itself, possibly before it answers, and waits for its end. */
async function runUntilKilled(daemon: Daemon): Promise<void> {
  const next = await daemon.restart().catch((error: Error) => {
    if (!error.message.includes('SIGKILL')) throw error
  })
  await next?.ended()
}
