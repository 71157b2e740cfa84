import { type Client, createClient } from '../../../../daemon/client/client.ts'
import { redacted } from '../../../../daemon/client/redacted.ts'
import { ClientError } from '../errors/client-error.ts'
import type { Output } from '../terminal/output.ts'
import { type Context, readContexts } from './contexts.ts'
import { parseDaemonUrl } from './daemon-url.ts'

/** The options of every client command. */
export interface CommonOptions {
  readonly json?: boolean
  readonly context?: string
}

/** The daemon for a command, with the command's output and abort signal. */
export interface Session {
  readonly client: Client
  readonly url: string
  readonly contextName: string
  readonly signal: AbortSignal
  readonly output: Output
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Selects the context for a command: `--context`, then STRATA_HOST with STRATA_TOKEN, then STRATA_CONTEXT, then the
 * current context. Throws ClientError if no context is selected or its name is unknown.
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
        'strata daemon start   starts a daemon on this machine',
        'echo "$TOKEN" | strata login https://example.com   uses a daemon on another machine',
      ],
    })
  }
  const context = contexts[name]
  if (context) return { name, context }
  const known = Object.keys(contexts)
  throw new ClientError(
    `unknown context ${name}${known.length > 0 ? `: known are ${known.join(', ')}` : ''}`,
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
