import { scheduleWire } from '../../api/schedules.ts'
import type { HandlerDeps, Handlers } from '../call.ts'

export function scheduleHandlers({
  useCases: { schedules },
}: HandlerDeps): Pick<Handlers, 'listSchedules'> {
  return {
    async listSchedules({ params }) {
      return { status: 200, body: (await schedules.list(params.id)).map(scheduleWire) }
    },
  }
}
