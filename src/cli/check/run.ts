import { spawn } from 'node:child_process'
import { passSignalsTo } from '../pass-signals.ts'

/** Of a program's output the end is kept: the last lines say what went wrong. */
const keptCharacters = 20_000

export interface Ended {
  readonly isDone: boolean
  /** Both streams, in the order they were written. */
  readonly output: string
}

/** Runs npm in a folder until it ends. Its output is kept, not shown. Rejects where npm is not there. */
export function npm(root: string, args: readonly string[]): Promise<Ended> {
  const child = spawn('npm', args, {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-keptCharacters)
    })
  }
  passSignalsTo(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ isDone: code === 0, output }))
  })
}
