import { usageHistoryWire, usageWire } from '../../api/records-to-json.ts'
import type { HandlerDeps, Handlers } from '../call.ts'

type Names = 'readUsage' | 'listUsage'

export function usageHandlers({ useCases: { usage } }: HandlerDeps): Pick<Handlers, Names> {
  return {
    async readUsage({ params }) {
      return { status: 200, body: usageHistoryWire(await usage.history(params.id)) }
    },

    async listUsage({ visible }) {
      return { status: 200, body: (await usage.newest(visible)).map(usageWire) }
    },
  }
}
