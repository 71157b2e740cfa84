import { spawn } from 'node:child_process'
import { StrataError } from '../generator/errors.ts'
import { passSignalsTo } from './pass-signals.ts'

/** Makes the folder a repository, unless it lies in one; says so where git is not there. */
export async function gitInit(root: string): Promise<void> {
  const inside = await run('git', ['rev-parse', '--is-inside-work-tree'], root, 'ignore')
  if (inside === 0) return
  if (inside === 'missing') {
    process.stderr.write('git is not on the PATH: the project is no repository yet\n')
    return
  }
  const status = await run('git', ['init', '--quiet', '--initial-branch=main'], root, 'inherit')
  if (status !== 0) {
    throw new StrataError(
      'failure',
      'the project is written, but git init failed: run git init in it',
    )
  }
}

/** Shows npm's own progress, on stderr. */
export async function npmInstall(root: string): Promise<void> {
  process.stderr.write('installing dependencies with npm …\n')
  const status = await run('npm', ['install', '--no-fund', '--no-audit'], root, 'inherit')
  if (status === 0) return
  const reason =
    status === 'missing' ? 'npm is not on the PATH' : `npm install ended with ${status}`
  throw new StrataError('failure', `the project is written, but ${reason}: run npm install in it`)
}

/**
 * Resolves to the exit code, to the signal that ended the program, or to 'missing'. Its output goes to stderr,
 * as stdout is the plan's.
 */
function run(
  command: string,
  args: readonly string[],
  cwd: string,
  output: 'ignore' | 'inherit',
): Promise<number | NodeJS.Signals | 'missing'> {
  const out = output === 'inherit' ? 2 : 'ignore'
  const child = spawn(command, args, { cwd, stdio: ['ignore', out, out] })
  passSignalsTo(child)
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve('missing')
      else reject(error)
    })
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'missing'))
  })
}
