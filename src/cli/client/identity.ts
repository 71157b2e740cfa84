import { AnswerError } from '../../../daemon/client/errors.ts'
import { ClientError } from './client-error.ts'
import { readContexts, writeContexts } from './contexts.ts'
import { listProjects } from './projects.ts'
import { runClient, runWithDaemon } from './run.ts'
import { type CommonOptions, chooseContext, type Session } from './session.ts'
import { maskToken } from './terminal/mask.ts'

/** `strata logout`: forgets a context, its token with it. */
export function logout(named: string | undefined, options: CommonOptions): Promise<void> {
  return runClient(options, async ({ output }) => {
    const kept = readContexts()
    const name = named ?? options.context ?? kept.current
    if (name === undefined || kept.contexts[name] === undefined) {
      throw new ClientError(
        name === undefined ? 'there is no context to forget' : `there is no context ${name}`,
        { next: ['strata context list'] },
      )
    }
    const { [name]: _, ...others } = kept.contexts
    const current = kept.current === name ? undefined : kept.current
    writeContexts({ current, contexts: others })
    output.result({ context: name, status: 'forgotten' }, () => [
      `forgot context ${name} and its token`,
      ...(current === undefined && Object.keys(others).length > 0
        ? [`the others: ${Object.keys(others).join(', ')} (strata context use <name>)`]
        : []),
    ])
  })
}

/** `strata whoami`: which daemon, which token, and what it may do. */
export function whoami(options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { output, client, signal, url, contextName } = session
    const { token } = chooseContext(options).context
    const projects = await listProjects(session)
    const access = await accessOf(session)
    const { body: setup } = await client.call('readSetupStatus', {}, { signal })
    const value = {
      context: contextName,
      url,
      version: setup.version,
      token: token === undefined ? null : maskToken(token),
      access,
      projects: projects.map(({ id, name }) => ({ id, name })),
    }
    output.result(value, () => [
      `context   ${contextName}`,
      `daemon    ${url} (stratad ${setup.version})`,
      `token     ${token === undefined ? 'none' : maskToken(token)}`,
      `access    ${accessTexts[access]}`,
      `projects  ${projects.map(({ name }) => name).join(', ') || 'none yet'}`,
    ])
  })
}

type Access = 'open' | 'master' | 'all-projects' | 'some-projects'

const accessTexts: Readonly<Record<Access, string>> = {
  open: 'all: the daemon asks for no token',
  master: 'all: it is the master token',
  'all-projects': 'a named token for all projects',
  'some-projects': 'a named token for the projects below',
}

/** The daemon has no endpoint that says it: what a token is refused tells what it is. */
async function accessOf({ client, signal }: Session): Promise<Access> {
  const { body: setup } = await client.call('readSetupStatus', {}, { signal })
  if (!setup.auth_required) return 'open'
  if (await isAllowed(() => client.call('listTokens', {}, { signal }))) return 'master'
  const isWide = await isAllowed(() => client.call('readStats', {}, { signal }))
  return isWide ? 'all-projects' : 'some-projects'
}

function isAllowed(ask: () => Promise<unknown>): Promise<boolean> {
  return ask().then(
    () => true,
    (error: unknown) => {
      if (error instanceof AnswerError && error.status === 403) return false
      throw error
    },
  )
}
