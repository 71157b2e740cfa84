import { readContexts, writeContexts } from '../connection/contexts.ts'
import type { CommonOptions } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { runClient } from '../run/run-command.ts'

/** `strata logout`: deletes a context with its token. */
export function logout(context: string | undefined, options: CommonOptions): Promise<void> {
  return runClient(options, async ({ output }) => {
    const stored = readContexts()
    const name = context ?? options.context ?? stored.current
    if (name === undefined || stored.contexts[name] === undefined) {
      throw new ClientError(
        name === undefined ? 'no context is selected: name one' : `unknown context ${name}`,
        { next: ['strata context list'] },
      )
    }
    const { [name]: _, ...others } = stored.contexts
    const current = stored.current === name ? undefined : stored.current
    writeContexts({ current, contexts: others })
    output.result({ context: name, status: 'forgotten' }, () => [
      `deleted context ${name} and its token`,
      ...(current === undefined && Object.keys(others).length > 0
        ? [`other contexts: ${Object.keys(others).join(', ')} (strata context use <name>)`]
        : []),
    ])
  })
}
