import { tokenWire } from '../../api/records-to-json.ts'
import { durationMs } from '../../domain/duration.ts'
import type { HandlerDeps, Handlers } from '../call.ts'

type Names = 'createToken' | 'listTokens' | 'revokeToken'

export function tokenHandlers({ useCases: { tokens } }: HandlerDeps): Pick<Handlers, Names> {
  return {
    async createToken({ body, actor }) {
      const { token, secret } = await tokens.create(
        {
          name: body.name,
          projects: body.projects ?? null,
          role: body.role ?? null,
          expiresInMs: body.expires_in === undefined ? null : (durationMs(body.expires_in) ?? null),
        },
        actor,
      )
      const { id, name, projects, role, expires_at } = tokenWire(token)
      return {
        status: 201,
        body: { id, name, token: secret.reveal(), projects, role, expires_at },
      }
    },

    async listTokens() {
      return { status: 200, body: (await tokens.list()).map(tokenWire) }
    },

    async revokeToken({ params, actor }) {
      await tokens.revoke(params.id, actor)
      return { status: 204 }
    },
  }
}
