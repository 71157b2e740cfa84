import { usageHistoryWire, usageWeekWire, usageWire } from '../../api/records-to-json.ts'
import type { HandlerDeps, Handlers } from '../call.ts'

type Names = 'readUsage' | 'readUsageWeek' | 'listUsage'

export function usageHandlers({ useCases: { usage } }: HandlerDeps): Pick<Handlers, Names> {
  return {
    async readUsage({ params }) {
      return { status: 200, body: usageHistoryWire(await usage.history(params.id)) }
    },

    async readUsageWeek({ params }) {
      return { status: 200, body: usageWeekWire(await usage.week(params.id)) }
    },

    async listUsage({ visible }) {
      return { status: 200, body: (await usage.newest(visible)).map(usageWire) }
    },
  }
}
