import { trashWire } from '../../api/records-to-json.ts'
import type { HandlerDeps, Handlers } from '../call.ts'

type Names = 'listTrash' | 'restoreTrash' | 'purgeTrash'

export function trashHandlers({ useCases: { trash } }: HandlerDeps): Pick<Handlers, Names> {
  return {
    async listTrash({ visible }) {
      return { status: 200, body: (await trash.list(visible)).map(trashWire) }
    },

    async restoreTrash({ params, body, actor }) {
      const target = await trash.restore(params.id, { projectId: body?.project_id }, actor)
      const { projectId, branch } = target
      return { status: 200, body: { status: 'restored', project_id: projectId, branch } }
    },

    async purgeTrash({ params, actor }) {
      await trash.purge(params.id, actor)
      return { status: 204 }
    },
  }
}
