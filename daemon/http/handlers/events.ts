import { changeWire } from '../../api/change-to-json.ts'
import type { DaemonEvent } from '../../app/ground/use-cases.ts'
import type { Change } from '../../domain/changes.ts'
import { alreadySent, type HandlerDeps, type Handlers } from '../call.ts'
import { type ServerEvent, sendEvents } from '../event-stream.ts'

export function eventHandlers(deps: HandlerDeps): Pick<Handlers, 'followEvents'> {
  const { events, projects } = deps.useCases
  const { publicPort, trashKeepMs } = deps.settings
  /** Converts each change once, for all readers. */
  const converted = new WeakMap<Change, Promise<Pick<ServerEvent, 'event' | 'data'>>>()

  async function convert(change: Change): Promise<Pick<ServerEvent, 'event' | 'data'>> {
    const [project] =
      change.topic === 'environment' ? await projects.list([change.environment.projectId]) : []
    const { event, data } = changeWire(change, { project, publicPort, trashKeepMs })
    return { event, data: JSON.stringify(data) }
  }

  function convertOnce(change: Change): Promise<Pick<ServerEvent, 'event' | 'data'>> {
    const known = converted.get(change) ?? convert(change)
    converted.set(change, known)
    return known
  }

  async function* toEvents(source: AsyncIterable<DaemonEvent>): AsyncIterable<ServerEvent> {
    for await (const event of source) {
      if (event.kind === 'change') yield { id: event.id, ...(await convertOnce(event.change)) }
      else yield { id: event.id, event: event.kind, data: '{}' }
    }
  }

  return {
    async followEvents({ actor, req, res }) {
      const lastId = req.headers['last-event-id']
      const signal = deps.streams.open(actor.principal, res)
      const source = events.follow(
        typeof lastId === 'string' && lastId !== '' ? lastId : null,
        actor.principal,
        signal,
      )
      await sendEvents(res, toEvents(source), { clock: deps.clock, signal })
      return alreadySent
    },
  }
}
