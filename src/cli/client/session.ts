import { type Client, createClient } from '../../../daemon/client/client.ts'
import { redacted } from '../../../daemon/domain/redacted.ts'
import { ClientError } from './client-error.ts'
import { type Context, readContexts } from './contexts.ts'
import { parseDaemonUrl } from './daemon-url.ts'
import type { Output } from './terminal/output.ts'

/** What every command takes. */
export interface CommonOptions {
  readonly json?: boolean
  readonly context?: string
}

/** A daemon that a command talks to, and where it writes. */
export interface Session {
  readonly client: Client
  readonly url: string
  readonly contextName: string
  readonly signal: AbortSignal
  readonly output: Output
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * The context that a command is for: `--context`, else STRATA_HOST with STRATA_TOKEN, else STRATA_CONTEXT, else the
 * current one. Throws ClientError where there is none.
 */
export function chooseContext(
  options: CommonOptions,
  env: Env = process.env,
): { name: string; context: Context } {
  if (options.context === undefined && env.STRATA_HOST) {
    const { STRATA_HOST: host, STRATA_TOKEN: token } = env
    return { name: 'STRATA_HOST', context: { url: parseDaemonUrl(host), ...(token && { token }) } }
  }
  const { current, contexts } = readContexts()
  const name = options.context ?? (env.STRATA_CONTEXT || current)
  if (name === undefined) {
    throw new ClientError('no daemon is known yet', {
      next: [
        'strata daemon start                               starts one on this machine',
        'echo "$TOKEN" | strata login https://example.com  uses one that runs elsewhere',
      ],
    })
  }
  const context = contexts[name]
  if (context) return { name, context }
  const known = Object.keys(contexts)
  throw new ClientError(
    `there is no context ${name}${known.length > 0 ? `: there are ${known.join(', ')}` : ''}`,
    { next: ['strata context list', `strata login <url> --name ${name}`] },
  )
}

export function openSession(
  options: CommonOptions,
  { signal, output }: { signal: AbortSignal; output: Output },
): Session {
  const { name, context } = chooseContext(options)
  return { ...connect(context), contextName: name, signal, output }
}

export function connect({ url, token }: Context): { client: Client; url: string } {
  const client = createClient({ url, token: token === undefined ? undefined : redacted(token) })
  return { client, url }
}
