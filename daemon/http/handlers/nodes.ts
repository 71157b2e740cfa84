import { nodeWire } from '../../api/records-to-json.ts'
import { redacted } from '../../domain/redacted.ts'
import type { HandlerDeps, Handlers } from '../call.ts'

type Names = 'registerNode' | 'listNodes' | 'updateNode' | 'removeNode'

export function nodeHandlers({ useCases: { nodes } }: HandlerDeps): Pick<Handlers, Names> {
  return {
    async registerNode({ body, actor }) {
      const { tls_ca: ca, tls_cert: cert, tls_key: key } = body
      const hasTls = ca !== undefined && cert !== undefined && key !== undefined
      const node = await nodes.register(
        {
          name: body.name,
          endpoint: body.endpoint,
          address: body.address ?? null,
          tls: hasTls ? { ca, cert, key: redacted(key) } : null,
          reservedMemoryMb: body.reserved_memory_mb ?? 0,
        },
        actor,
      )
      return { status: 201, body: nodeWire(node) }
    },

    async listNodes() {
      return { status: 200, body: (await nodes.list()).map(nodeWire) }
    },

    async updateNode({ params, body, actor }) {
      const input = {
        ...(body.state !== undefined && { state: body.state }),
        ...(body.evacuate !== undefined && { evacuate: body.evacuate }),
      }
      const { node, moved, stuck } = await nodes.update(params.id, input, actor)
      return {
        status: 200,
        body: {
          ...nodeWire(node),
          moved,
          stuck: stuck.map(({ environmentId, reason }) => ({
            environment_id: environmentId,
            reason,
          })),
        },
      }
    },

    async removeNode({ params, actor }) {
      await nodes.remove(params.id, actor)
      return { status: 204 }
    },
  }
}
