import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** A program of ours as one CommonJS file, as the daemon is: it starts fast and can be killed. */
export interface Program {
  /** Runs it with `step` as the one to die at (none: to its end); what it reached, the killing step last. */
  run(args: readonly string[], step?: string): Promise<{ reached: string[]; isKilled: boolean }>
  remove(): void
}

/** `entry` is a module that calls `reached` of `dying-at.ts`; an absolute path. */
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
    async run(args, step = '') {
      const child = spawn(process.execPath, [join(folder, 'child.cjs'), ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, NODE_PATH: join(root, 'node_modules'), DIE_AT: step },
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
