import type { SetupStatus } from '../../../../daemon/client/contract.ts'
import { ConnectionError, ResponseError } from '../../../../daemon/client/errors.ts'
import {
  type Context,
  isContextName,
  readContexts,
  withContext,
  writeContexts,
} from '../connection/contexts.ts'
import { parseDaemonUrl } from '../connection/daemon-url.ts'
import { type CommonOptions, connect } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { asClientError } from '../run/report-error.ts'
import { type Invocation, runClient } from '../run/run-command.ts'
import { maskToken } from '../terminal/mask-token.ts'
import { readStdin } from '../terminal/read-stdin.ts'

export interface LoginOptions extends CommonOptions {
  readonly name?: string
}

/** `strata login`: reads a token from standard input, tests it, and stores it with the daemon's address. */
export function login(address: string | undefined, options: LoginOptions): Promise<void> {
  return runClient(options, async (invocation) => {
    const { output } = invocation
    const stored = readContexts()
    const url = parseDaemonUrl(address ?? currentUrl(stored) ?? 'http://127.0.0.1:9000')
    const name = options.name ?? chooseName(url, stored)
    if (!isContextName(name)) {
      throw new ClientError(
        `invalid context name ${JSON.stringify(name)}: expected letters, digits, dots, _ and -`,
        {
          next: ['strata login <url> --name staging'],
        },
      )
    }
    const setup = await readSetup(url, invocation)
    const token = setup.auth_required ? await readToken(url, setup, invocation) : undefined
    const context: Context = { url, ...(token !== undefined && { token }) }
    await testToken(context, invocation)
    writeContexts(withContext(readContexts(), name, context))
    const shown = token === undefined ? 'no token needed' : `token ${maskToken(token)}`
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

/** Returns the name of the context with this address, otherwise a name made of the host. */
function chooseName(url: string, { contexts }: ReturnType<typeof readContexts>): string {
  const known = Object.entries(contexts).find(([, context]) => context.url === url)
  if (known) return known[0]
  const { host } = new URL(url)
  return host.replace(/^\[|\]/g, '').replace(/[^A-Za-z0-9.-]+/g, '-')
}

async function readSetup(url: string, { signal }: Invocation): Promise<SetupStatus> {
  try {
    const { client } = connect({ url })
    const { body } = await client.call('readSetupStatus', {}, { signal, timeoutMs: 15_000 })
    if (typeof body?.version === 'string') return body
  } catch (error) {
    if (error instanceof ConnectionError && !error.isSent) throw noDaemonAt(url, error)
    if (error instanceof ConnectionError) throw asClientError(error, () => ({ name: '', url }))
    if (!(error instanceof ResponseError)) throw error
  }
  throw new ClientError(`the server at ${url} is not a stratad`, { next: ['check the address'] })
}

function noDaemonAt(url: string, { message }: ConnectionError): ClientError {
  const { port, protocol, hostname } = new URL(url)
  const isPortMissing = port === '' && protocol === 'http:'
  return new ClientError(`no daemon answers at ${url}: ${message}`, {
    next: isPortMissing
      ? [`strata login http://${hostname}:9000   uses the default port of stratad`]
      : ['strata daemon start   starts a daemon on this machine'],
  })
}

/**
 * Reads the token from standard input. A daemon that generated its own token returns it to local callers: this token is
 * used without a prompt on a terminal, or if standard input is empty.
 */
async function readToken(url: string, setup: SetupStatus, { signal }: Invocation): Promise<string> {
  const isTerminal = process.stdin.isTTY
  const autoToken = isTerminal && setup.auto_token ? await readAutoToken(url, signal) : undefined
  if (autoToken !== undefined) return autoToken
  const text = (await readStdin(`token for ${url} (hidden): `, signal)).trim()
  if (/^[\x21-\x7e]{1,4096}$/.test(text)) return text
  const fallback =
    text === '' && !isTerminal && setup.auto_token && (await readAutoToken(url, signal))
  if (fallback) return fallback
  throw new ClientError(
    text === ''
      ? 'no token on standard input'
      : 'invalid token on standard input: expected one line of printable ASCII without spaces',
    { next: [`echo "$TOKEN" | strata login ${url}`] },
  )
}

/** Returns undefined if the daemon refuses to return its token to this caller. */
function readAutoToken(url: string, signal: AbortSignal): Promise<string | undefined> {
  return connect({ url })
    .client.call('readSetupToken', {}, { signal })
    .then(
      ({ body }) => body.token,
      (error: unknown) => {
        if (error instanceof ResponseError) return undefined
        throw error
      },
    )
}

/** Lists the projects, which any valid token may do. Throws ClientError (4) if the daemon rejects the token. */
async function testToken(context: Context, { signal }: Invocation): Promise<void> {
  try {
    await connect(context).client.call('listProjects', {}, { signal })
  } catch (error) {
    if (!(error instanceof ResponseError) || error.status !== 401) throw error
    throw new ClientError(`${error.message}: the context was not saved`, {
      exitCode: 4,
      next: [
        `echo "$TOKEN" | strata login ${context.url}   with a token that is valid there`,
        'on the machine of the daemon: strata daemon start, or cat ~/.local/state/strata/api-token',
      ],
    })
  }
}
