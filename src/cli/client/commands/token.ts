import type { CommonOptions } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { findNamedProject } from '../projects/projects.ts'
import { parseId, parseList } from '../run/option-values.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { printable } from '../terminal/printable.ts'

export interface CreateTokenOptions extends CommonOptions {
  readonly projects?: string
  readonly role?: string
  readonly expiresIn?: string
}

const roles = ['viewer', 'developer', 'maintainer', 'admin'] as const

/** `strata token create`: prints only the token on stdout, so that it can be piped. */
export function createToken(name: string, options: CreateTokenOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { projects: projectList, expiresIn } = options
    const role = parseRole(options.role)
    const projects: number[] = []
    for (const idOrName of projectList === undefined ? [] : parseList(projectList)) {
      projects.push((await findNamedProject(session, idOrName)).id)
    }
    const body = {
      name,
      ...(projectList !== undefined && { projects }),
      ...(role !== undefined && { role }),
      ...(expiresIn !== undefined && { expires_in: expiresIn }),
    }
    const { body: created } = await client.call('createToken', { body }, { signal })
    output.result(created, () => [created.token])
    const expiry = created.expires_at === null ? 'does not expire' : `expires ${created.expires_at}`
    const scope = created.projects === null ? 'all projects' : `projects ${created.projects}`
    output.note(
      `token ${created.id} (${created.role}, ${scope}, ${expiry}): store it now, it is not shown again`,
    )
  })
}

/** `strata token list` */
export function listTokens(options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const { body } = await client.call('listTokens', {}, { signal })
    output.result(body, () =>
      body.length === 0
        ? ['no named tokens: strata token create <name>']
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
export function revokeToken(idText: string, options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const id = parseId('token id', idText)
    await client.call('revokeToken', { params: { id } }, { signal })
    output.result({ id, status: 'revoked' }, () => [`revoked token ${id}`])
  })
}

function parseRole(text: string | undefined): (typeof roles)[number] | undefined {
  const role = roles.find((each) => each === text)
  if (role !== undefined || text === undefined) return role
  throw new ClientError(`invalid --role ${JSON.stringify(text)}: expected ${roles.join(', ')}`)
}
