import { createInterface } from 'node:readline/promises'
import { ClientError } from '../errors/client-error.ts'

/**
 * Asks a question on the terminal, unless `--yes` was given. Throws ClientError if the answer is not yes, or if no
 * terminal can answer.
 */
export async function confirm(
  question: string,
  { isConfirmed, signal }: { isConfirmed: boolean | undefined; signal: AbortSignal },
): Promise<void> {
  if (isConfirmed) return
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY) {
    throw new ClientError(`${question} confirm with --yes: standard input is no terminal`)
  }
  const terminal = createInterface({ input: stdin, output: stderr })
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal })
    if (!/^y(es)?$/i.test(answer.trim())) throw new ClientError('stopped: nothing was changed')
  } finally {
    terminal.close()
  }
}
