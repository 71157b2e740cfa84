import { ResponseError } from '../../../../daemon/client/errors.ts'
import { type CommonOptions, chooseContext, type Session } from '../connection/session.ts'
import { listProjects } from '../projects/projects.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { maskToken } from '../terminal/mask-token.ts'

/** `strata whoami`: shows the daemon, the masked token and the permissions of the token. */
export function whoami(options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { output, client, signal, url, contextName } = session
    const { token } = chooseContext(options).context
    const projects = await listProjects(session)
    const access = await detectAccess(session)
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
  open: 'full: the daemon requires no token',
  master: 'full: master token',
  'all-projects': 'named token for all projects',
  'some-projects': 'named token for the projects listed below',
}

/** Probes endpoints that only some tokens may call: the API has no endpoint that describes a token. */
async function detectAccess({ client, signal }: Session): Promise<Access> {
  const { body: setup } = await client.call('readSetupStatus', {}, { signal })
  if (!setup.auth_required) return 'open'
  if (await isAllowed(() => client.call('listTokens', {}, { signal }))) return 'master'
  const hasAllProjects = await isAllowed(() => client.call('readStats', {}, { signal }))
  return hasAllProjects ? 'all-projects' : 'some-projects'
}

function isAllowed(call: () => Promise<unknown>): Promise<boolean> {
  return call().then(
    () => true,
    (error: unknown) => {
      if (error instanceof ResponseError && error.status === 403) return false
      throw error
    },
  )
}
