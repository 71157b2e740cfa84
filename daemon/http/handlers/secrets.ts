import type { SecretScope } from '../../domain/records.ts'
import { redacted } from '../../domain/redacted.ts'
import type { HandlerDeps, Handlers } from '../call.ts'

type Names =
  | 'listGlobalSecrets'
  | 'setGlobalSecret'
  | 'removeGlobalSecret'
  | 'listProjectSecrets'
  | 'setProjectSecret'
  | 'removeProjectSecret'
  | 'listGlobalVariables'
  | 'listProjectVariables'

const globalScope: SecretScope = { kind: 'global' }

export function secretHandlers({ useCases }: HandlerDeps): Pick<Handlers, Names> {
  const { secrets, projects } = useCases
  return {
    async listGlobalSecrets() {
      return { status: 200, body: { secrets: await secrets.list(globalScope) } }
    },

    async setGlobalSecret({ body, actor }) {
      const { name, value, readable: isReadable } = body
      await secrets.set({ name, value: redacted(value), scope: globalScope, isReadable }, actor)
      return { status: 204 }
    },

    async removeGlobalSecret({ params, actor }) {
      await secrets.remove(params.name, globalScope, actor)
      return { status: 204 }
    },

    async listProjectSecrets({ params, query }) {
      await projects.find(params.id)
      const list = await secrets.list(scopeOf(params.id, query.branch))
      return { status: 200, body: { secrets: list } }
    },

    async setProjectSecret({ params, body, actor }) {
      await projects.find(params.id)
      const { name, value, branch, readable: isReadable } = body
      const scope = scopeOf(params.id, branch)
      await secrets.set({ name, value: redacted(value), scope, isReadable }, actor)
      return { status: 204 }
    },

    async listGlobalVariables() {
      return { status: 200, body: { variables: await secrets.variables(globalScope) } }
    },

    async listProjectVariables({ params, query }) {
      await projects.find(params.id)
      const variables = await secrets.variables(scopeOf(params.id, query.branch))
      return { status: 200, body: { variables } }
    },

    async removeProjectSecret({ params, query, actor }) {
      await projects.find(params.id)
      await secrets.remove(params.name, scopeOf(params.id, query.branch), actor)
      return { status: 204 }
    },
  }
}

function scopeOf(projectId: number, branch: string | undefined): SecretScope {
  return branch === undefined
    ? { kind: 'project', projectId }
    : { kind: 'branch', projectId, branch }
}
