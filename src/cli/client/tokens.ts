import { ClientError } from './client-error.ts'
import { findNamedProject } from './projects.ts'
import { runWithDaemon } from './run.ts'
import type { CommonOptions } from './session.ts'
import { printable } from './terminal/printable.ts'
import { parseId, parseList } from './values.ts'

export interface CreateTokenOptions extends CommonOptions {
  readonly projects?: string
  readonly role?: string
  readonly expiresIn?: string
}

const roles = ['viewer', 'developer', 'maintainer', 'admin'] as const

/** `strata token create`: the token alone on stdout, so that it can be piped on. */
export function createToken(name: string, options: CreateTokenOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { projects: given, expiresIn } = options
    const role = parseRole(options.role)
    const projects: number[] = []
    for (const named of given === undefined ? [] : parseList(given)) {
      projects.push((await findNamedProject(session, named)).id)
    }
    const body = {
      name,
      ...(given !== undefined && { projects }),
      ...(role !== undefined && { role }),
      ...(expiresIn !== undefined && { expires_in: expiresIn }),
    }
    const { body: created } = await client.call('createToken', { body }, { signal })
    output.result(created, () => [created.token])
    const ends = created.expires_at === null ? 'does not expire' : `expires ${created.expires_at}`
    const range = created.projects === null ? 'all projects' : `projects ${created.projects}`
    output.note(`token ${created.id} (${created.role}, ${range}, ${ends}): it is shown this once`)
  })
}

/** `strata token list` */
export function listTokens(options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const { body } = await client.call('listTokens', {}, { signal })
    output.result(body, () =>
      body.length === 0
        ? ['no named token yet: strata token create <name>']
        : output.table(
            ['ID', 'NAME', 'ROLE', 'PROJECTS', 'EXPIRES', 'STATE'],
            body.map((token) => [
              String(token.id),
              printable(token.name),
              token.role,
              token.projects === null ? 'all' : token.projects.join(', '),
              token.expires_at?.slice(0, 16).replace('T', ' ') ?? 'never',
              token.revoked_at === null ? 'valid' : output.paint('dim', 'revoked'),
            ]),
          ),
    )
  })
}

/** `strata token revoke` */
export function revokeToken(text: string, options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const id = parseId('the id of a token', text)
    await client.call('revokeToken', { params: { id } }, { signal })
    output.result({ id, status: 'revoked' }, () => [`token ${id} is valid no more`])
  })
}

function parseRole(text: string | undefined): (typeof roles)[number] | undefined {
  const role = roles.find((each) => each === text)
  if (role !== undefined || text === undefined) return role
  throw new ClientError(`there is no role ${text}: there are ${roles.join(', ')}`)
}
