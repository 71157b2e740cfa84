import { readContexts, writeContexts } from '../connection/contexts.ts'
import type { CommonOptions } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { runClient } from '../run/run-command.ts'
import { maskToken } from '../terminal/mask-token.ts'

/** `strata context list` */
export function listContexts(options: CommonOptions): Promise<void> {
  return runClient(options, async ({ output }) => {
    const { current, contexts } = readContexts()
    const list = Object.entries(contexts).map(([name, { url, token }]) => ({
      name,
      url,
      token: token === undefined ? null : maskToken(token),
      is_current: name === current,
    }))
    output.result(list, () =>
      list.length === 0
        ? ['no contexts: run strata daemon start, or strata login <url>']
        : output.table(
            ['', 'NAME', 'DAEMON', 'TOKEN'],
            list.map(({ name, url, token, is_current }) => [
              is_current ? '*' : '',
              name,
              url,
              token ?? 'none',
            ]),
          ),
    )
  })
}

/** `strata context use` */
export function useContext(name: string, options: CommonOptions): Promise<void> {
  return runClient(options, async ({ output }) => {
    const { contexts } = readContexts()
    const context = contexts[name]
    if (!context) {
      throw new ClientError(`unknown context ${name}`, {
        next: ['strata context list', `strata login <url> --name ${name}`],
      })
    }
    writeContexts({ current: name, contexts })
    output.result({ context: name, url: context.url }, () => [`using ${name}: ${context.url}`])
  })
}
