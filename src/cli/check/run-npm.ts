import { spawn } from 'node:child_process'
import { forwardSignals } from '../generate/pass-signals.ts'

/** Only the end of the output is kept: the last lines name the failure. */
const maxOutputLength = 20_000

export interface NpmResult {
  readonly isSuccess: boolean
  /** The last 20,000 characters of stdout and stderr, interleaved. */
  readonly output: string
}

/** Runs npm in a folder and captures its output. A missing npm is a failure like any other. */
export function npm(root: string, args: readonly string[]): Promise<NpmResult> {
  const child = spawn('npm', args, {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-maxOutputLength)
    })
  }
  forwardSignals(child)
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') return reject(error)
      resolve({ isSuccess: false, output: 'npm is not on the PATH: install it with Node.js' })
    })
    child.once('close', (code) => resolve({ isSuccess: code === 0, output }))
  })
}
