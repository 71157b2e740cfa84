import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** A program, bundled into one CommonJS file like the daemon so that it starts fast. */
export interface Program {
  /** Runs the program, killed at the failpoint `dieAt` if given. Returns the failpoints it reached, in order. */
  run(args: readonly string[], dieAt?: string): Promise<{ reached: string[]; isKilled: boolean }>
  remove(): void
}

/** Bundles the module at the absolute path `entry`, which calls `dieAtFailpoint`. */
export async function bundleProgram(entry: string): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'strata-child-'))
  const bundle = await rolldown({
    input: { child: entry },
    platform: 'node',
    external: ['@photostructure/sqlite'],
  })
  const output = { dir: folder, format: 'cjs', entryFileNames: '[name].cjs' } as const
  await bundle.write(output)
  await bundle.close()

  return {
    async run(args, dieAt = '') {
      const child = spawn(process.execPath, [join(folder, 'child.cjs'), ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, NODE_PATH: join(root, 'node_modules'), DIE_AT: dieAt },
      })
      const texts = { stdout: '', stderr: '' }
      for (const name of ['stdout', 'stderr'] as const) {
        child[name].setEncoding('utf8').on('data', (text: string) => {
          texts[name] += text
        })
      }
      const [code, signal] = await once(child, 'close')
      const isKilled = signal === 'SIGKILL'
      if (!isKilled && code !== 0) throw new Error(`the child ended with ${code}: ${texts.stderr}`)
      return { reached: texts.stdout.split('\n').filter((line) => line !== ''), isKilled }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
