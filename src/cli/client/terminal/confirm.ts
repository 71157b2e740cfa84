import { createInterface } from 'node:readline'
import { ClientError } from '../errors/client-error.ts'
import type { Output } from './output.ts'

export interface Confirmation {
  /** The consequences, one a line, printed before the question. */
  readonly consequences: readonly string[]
  /** Ends with a question mark. */
  readonly question: string
  /** The command that needs no confirmation, for example `strata down main --yes`. */
  readonly unattended: string
  /** The value of `--yes`. */
  readonly isGiven: boolean
}

/**
 * Asks on a terminal before a destructive request. Throws ClientError if the person declines, or if standard input is no
 * terminal and `--yes` is missing.
 */
export async function confirm(
  { consequences, question, unattended, isGiven }: Confirmation,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  if (isGiven) return
  output.note(...consequences)
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new ClientError('this needs a confirmation, and no terminal can ask: nothing was done', {
      next: [unattended],
    })
  }
  const answer = await readLine(`${question} [y/N] `, signal)
  if (/^\s*y(es)?\s*$/i.test(answer)) return
  throw new ClientError('not confirmed: nothing was done')
}

/** Returns an empty text at the end of the input (Ctrl-D). */
function readLine(prompt: string, signal: AbortSignal): Promise<string> {
  // Without `terminal`, Ctrl-C stays a signal, as in every other command.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  return new Promise<string>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    lines.once('close', () => resolve(''))
    lines.question(prompt, resolve)
  }).finally(() => lines.close())
}
