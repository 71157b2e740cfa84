import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { eventually } from '../apps/eventually.ts'
import { type Daemon, newPlace, startDaemon } from './daemon.ts'

const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url))

/** `stratad-under-test.ts` built as the daemon is, its gateway beside it. */
export interface KillableProgram {
  /** Starts one on a folder of its own. */
  start(env?: Readonly<Record<string, string>>): Promise<KillableDaemon>
  remove(): void
}

export interface KillableDaemon {
  /** The one that runs now. */
  daemon(): Daemon
  /** It is to die at the first of these steps that it reaches, its successor at the second, and so on. */
  arm(...steps: readonly string[]): void
  /** Resolves when a step was reached so many times in all: true, or false when that takes too long. */
  passed(step: string, times: number): Promise<boolean>
  /** Resolves when it has died, as many times as it was to, and its last successor answers. */
  revived(deaths?: number): Promise<Daemon>
}

export async function buildKillable(): Promise<KillableProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'stratad-killable-'))
  const { dependencies } = (await import('../../../package.json', { with: { type: 'json' } }))
    .default
  const names = Object.keys(dependencies)
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
      const armed = join(place.dataDir, 'die-at')
      const program = [join(folder, 'stratad.cjs'), armed]
      let daemon = await startDaemon({ env, place, program })
      return {
        daemon: () => daemon,
        passed(step, times) {
          const steps = () => readFileSync(`${armed}.passed`, 'utf8').split('\n')
          return eventually(() => steps().filter((one) => one === step).length >= times, 20_000)
        },
        arm: (...steps) => writeFileSync(armed, steps.join('\n')),
        async revived(deaths = 1) {
          await daemon.ended()
          for (let left = deaths - 1; left > 0; left -= 1) await oneLife(daemon)
          daemon = await daemon.restart()
          return daemon
        },
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** It may die before it answers. */
async function oneLife(daemon: Daemon): Promise<void> {
  const next = await daemon.restart().catch((error: Error) => {
    if (!error.message.includes('SIGKILL')) throw error
  })
  await next?.ended()
}
