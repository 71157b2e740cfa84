import { readContexts } from '../connection/contexts.ts'
import { type CommonOptions, chooseContext } from '../connection/session.ts'
import { hostedNameIn } from '../repository/hosted-remote.ts'
import { runClient } from '../run/run-command.ts'
import { readStdin } from '../terminal/read-stdin.ts'

/**
 * `strata git-credential`: a git credential helper (gitcredentials(7)). Answers `get` with the token of the context whose
 * daemon hosts the repository, and nothing for other URLs and actions.
 */
export function gitCredential(action: string, options: CommonOptions): Promise<void> {
  return runClient(options, async ({ signal }) => {
    const request = parseCredential(await readStdin('', signal))
    if (action !== 'get') return
    const token = tokenFor(urlOf(request), options)
    if (token !== undefined) process.stdout.write(`username=strata\npassword=${token}\n`)
  })
}

/** Returns the token of the chosen context, otherwise of any context, if its daemon hosts the repository at `url`. */
function tokenFor(url: string, options: CommonOptions): string | undefined {
  const isFor = (context: { url: string }) => hostedNameIn(url, context.url) !== undefined
  const chosen = orUndefined(() => chooseContext(options).context)
  if (chosen && isFor(chosen)) return chosen.token
  return Object.values(readContexts().contexts).find(isFor)?.token
}

function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Parses the lines `name=value` that git sends. */
export function parseCredential(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const at = line.indexOf('=')
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const]
    }),
  )
}

function urlOf(request: ReadonlyMap<string, string>): string {
  const part = (name: string) => request.get(name) ?? ''
  return `${part('protocol')}://${part('host')}/${part('path')}`
}
