import type { Redacted } from '../../ports.ts'
import type { Actor, TokenUseCases } from '../ground/use-cases.ts'

/** Name of the token of the proxy that the daemon starts. */
const tokenName = 'strata-traefik'

/** Creates the token of the proxy that the daemon starts, and revokes the previous one. It can only read. */
export async function replaceProxyToken(
  tokens: Pick<TokenUseCases, 'create' | 'list' | 'revoke'>,
  actor: Actor,
): Promise<Redacted> {
  for (const { id, name, revokedAt } of await tokens.list()) {
    if (name === tokenName && revokedAt === null) await tokens.revoke(id, actor)
  }
  const request = { name: tokenName, projects: null, role: 'viewer', expiresInMs: null } as const
  return (await tokens.create(request, actor)).secret
}
