import type { SetupStatus } from '../../../daemon/client/contract.ts'
import { AnswerError, NoAnswerError } from '../../../daemon/client/errors.ts'
import { ClientError } from './client-error.ts'
import {
  type Context,
  isContextName,
  readContexts,
  withContext,
  writeContexts,
} from './contexts.ts'
import { parseDaemonUrl } from './daemon-url.ts'
import { asClientError } from './report.ts'
import { runClient, type Surroundings } from './run.ts'
import { type CommonOptions, connect } from './session.ts'
import { maskToken } from './terminal/mask.ts'
import { readStdin } from './terminal/read-stdin.ts'

export interface LoginOptions extends CommonOptions {
  readonly name?: string
}

/** `strata login`: keeps a daemon's address and the token that standard input gives, after trying them. */
export function login(address: string | undefined, options: LoginOptions): Promise<void> {
  return runClient(options, async (surroundings) => {
    const { output } = surroundings
    const kept = readContexts()
    const url = parseDaemonUrl(address ?? currentUrl(kept) ?? 'http://127.0.0.1:9000')
    const name = options.name ?? nameFor(url, kept)
    if (!isContextName(name)) {
      throw new ClientError(`${JSON.stringify(name)} can't be the name of a context`, {
        next: ['letters, digits, dots, _ and -, as: strata login <url> --name staging'],
      })
    }
    const setup = await readSetup(url, surroundings)
    const token = setup.auth_required ? await readToken(url, setup, surroundings) : undefined
    const context: Context = { url, ...(token !== undefined && { token }) }
    await tryToken(context, surroundings)
    writeContexts(withContext(readContexts(), name, context))
    const shown = token === undefined ? 'no token is needed' : `token ${maskToken(token)}`
    const value = {
      context: name,
      url,
      version: setup.version,
      token: token === undefined ? null : maskToken(token),
    }
    output.result(value, () => [`logged in to ${url} as context ${name} (${shown})`])
  })
}

function currentUrl({ current, contexts }: ReturnType<typeof readContexts>): string | undefined {
  return current === undefined ? undefined : contexts[current]?.url
}

/** The context that has the address already, else one called after the host. */
function nameFor(url: string, { contexts }: ReturnType<typeof readContexts>): string {
  const known = Object.entries(contexts).find(([, context]) => context.url === url)
  if (known) return known[0]
  const { host } = new URL(url)
  return host.replace(/^\[|\]/g, '').replace(/[^A-Za-z0-9.-]+/g, '-')
}

async function readSetup(url: string, { signal }: Surroundings): Promise<SetupStatus> {
  try {
    const { client } = connect({ url })
    const { body } = await client.call('readSetupStatus', {}, { signal, timeoutMs: 15_000 })
    if (typeof body?.version === 'string') return body
  } catch (error) {
    if (error instanceof NoAnswerError && !error.isSent) throw nobodyThere(url, error)
    if (error instanceof NoAnswerError) throw asClientError(error, () => ({ name: '', url }))
    if (!(error instanceof AnswerError)) throw error
  }
  throw new ClientError(`what answers at ${url} is no stratad`, { next: ['check the address'] })
}

function nobodyThere(url: string, { message }: NoAnswerError): ClientError {
  const { port, protocol, hostname } = new URL(url)
  const guess = port === '' && protocol === 'http:'
  return new ClientError(`no daemon answers at ${url}: ${message}`, {
    next: guess
      ? [`strata login http://${hostname}:9000   is where a stratad listens if not told otherwise`]
      : ['strata daemon start   starts one on this machine'],
  })
}

/** A daemon on this machine that made its token itself hands it out here: then none need be given. */
async function readToken(
  url: string,
  setup: SetupStatus,
  { signal }: Surroundings,
): Promise<string> {
  const isAsked = process.stdin.isTTY
  const own = isAsked && setup.auto_token ? await readOwnToken(url, signal) : undefined
  if (own !== undefined) return own
  const text = (await readStdin(`token for ${url} (not shown): `, signal)).trim()
  if (/^[\x21-\x7e]{1,4096}$/.test(text)) return text
  const handed = text === '' && !isAsked && setup.auto_token && (await readOwnToken(url, signal))
  if (handed) return handed
  throw new ClientError(
    text === ''
      ? 'no token came on standard input'
      : 'what came on standard input is no token: one line of visible ASCII',
    { next: [`echo "$TOKEN" | strata login ${url}`] },
  )
}

/** Undefined where the daemon does not hand it out to us. */
function readOwnToken(url: string, signal: AbortSignal): Promise<string | undefined> {
  return connect({ url })
    .client.call('readSetupToken', {}, { signal })
    .then(
      ({ body }) => body.token,
      (error: unknown) => {
        if (error instanceof AnswerError) return undefined
        throw error
      },
    )
}

/** Any valid credential may list the projects it sees. */
async function tryToken(context: Context, { signal }: Surroundings): Promise<void> {
  try {
    await connect(context).client.call('listProjects', {}, { signal })
  } catch (error) {
    if (!(error instanceof AnswerError) || error.status !== 401) throw error
    throw new ClientError(`${error.message}: nothing was kept`, {
      exitCode: 4,
      next: [
        `echo "$TOKEN" | strata login ${context.url}   with a token that the daemon knows`,
        'on its own machine: strata daemon start, or cat ~/.local/state/strata/api-token',
      ],
    })
  }
}
