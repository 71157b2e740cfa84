import { once } from 'node:events'
import { runCommand } from '../../../../daemon/client/run-command.ts'
import { findTarget } from '../projects/environments.ts'
import { runWithDaemon } from '../run/run-command.ts'

export interface RunOptions {
  readonly context?: string
  readonly project?: string
  readonly environment?: string
  readonly timeout?: string
}

/**
 * `strata run`: runs a command beside an app, with its files, variables and data. Exits with the exit code of the command.
 * Ctrl-C and a lost connection end the command.
 */
export function run(command: readonly string[], options: RunOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { environment } = await findTarget(session, options.environment, options)
    const { stdin } = process
    try {
      const events = runCommand(client, {
        environmentId: environment.id,
        ...{ command, signal, timeout: options.timeout },
        // A terminal has no end of input: the command would wait for it.
        input: stdin.isTTY ? undefined : stdin,
      })
      for await (const event of events) {
        if (event.kind === 'output') {
          const stream = process[event.stream]
          if (!stream.write(event.data)) await once(stream, 'drain')
        } else {
          if (event.exit.reason !== null)
            output.note(`the command did not end: ${event.exit.reason}`)
          process.exitCode = event.exit.code
        }
      }
    } finally {
      // An open pipe would keep this program running.
      stdin.destroy()
    }
  })
}
