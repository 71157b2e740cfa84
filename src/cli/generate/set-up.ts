import { spawn } from 'node:child_process'
import { StrataError } from '../../generator/errors.ts'
import { forwardSignals } from './pass-signals.ts'

/** Runs `git init`, unless the folder is in a repository. Prints a note if git is missing. Throws StrataError 'failure'. */
export async function gitInit(root: string): Promise<void> {
  const inside = await run('git', ['rev-parse', '--is-inside-work-tree'], root, 'ignore')
  if (inside === 0) return
  if (inside === 'missing') {
    process.stderr.write('git is not on the PATH: skipped git init\n')
    return
  }
  const status = await run('git', ['init', '--quiet', '--initial-branch=main'], root, 'inherit')
  if (status !== 0) {
    throw new StrataError(
      'failure',
      'the project is written, but git init failed: run git init in its folder',
    )
  }
}

/** Runs `npm install` with its output on stderr. Throws StrataError 'failure' with the text that `describe` returns. */
export async function npmInstall(
  root: string,
  describe = (reason: string) =>
    `the project is written, but ${reason}: run npm install in its folder`,
): Promise<void> {
  process.stderr.write('installing dependencies with npm …\n')
  const status = await run('npm', ['install', '--no-fund', '--no-audit'], root, 'inherit')
  if (status === 0) return
  const reason =
    status === 'missing' ? 'npm is not on the PATH' : `npm install exited with ${status}`
  throw new StrataError('failure', describe(reason))
}

/** Runs a script of the project with its output on stderr. Throws StrataError 'failure'. */
export async function npmRun(root: string, script: string): Promise<void> {
  const status = await run('npm', ['run', '--silent', script], root, 'inherit')
  if (status === 0) return
  const reason = status === 'missing' ? 'npm is not on the PATH' : `it ended with ${status}`
  throw new StrataError('failure', `npm run ${script} failed in ${root}: ${reason}`)
}

/**
 * Runs a program. Resolves to its exit code, to the signal that ended it, or to 'missing' if it is not installed. Its output
 * goes to stderr, as stdout is reserved for the plan.
 */
function run(
  command: string,
  args: readonly string[],
  cwd: string,
  output: 'ignore' | 'inherit',
): Promise<number | NodeJS.Signals | 'missing'> {
  const out = output === 'inherit' ? 2 : 'ignore'
  const child = spawn(command, args, { cwd, stdio: ['ignore', out, out] })
  forwardSignals(child)
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve('missing')
      else reject(error)
    })
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'missing'))
  })
}
