import { createInterface } from 'node:readline'
import { StrataError } from '../../generator/errors.ts'
import { askOn, processTerminal } from './ask-places.ts'
import { askWith } from './change-project.ts'

/** The commands that can stop at conflicts. */
const commands = ['feature', 'remove', 'rename', 'sync', 'store', 'upgrade']

/**
 * `strata resolve <command>`: runs a command that stopped at conflicts, and asks about each place on the terminal. Nothing is
 * written before all places are decided. Without a terminal, the command lists its conflicts.
 */
export async function resolve(
  words: readonly string[],
  run: (argv: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const [command = ''] = words
  if (!commands.includes(command)) {
    throw new StrataError(
      'usage',
      `strata resolve runs a command that stopped at conflicts, not "${command}": write strata resolve before ${commands.join(', ')} and its arguments`,
    )
  }
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    await run(words)
    return
  }
  const lines = createInterface({ input: process.stdin, terminal: false })
  askWith(askOn(processTerminal(lines)))
  try {
    await run(words)
  } finally {
    lines.close()
  }
}
