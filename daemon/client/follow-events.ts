import type { EventName, EventOf } from '../api/events.ts'
import { followStream, type StreamOptions } from './follow-stream.ts'

/** A change of the daemon's state, with the id to resume after. */
export type DaemonEvent = {
  readonly [Name in EventName]: {
    readonly id: string
    readonly event: Name
    readonly data: EventOf<Name>
  }
}[EventName]

/** Opens the stream with these headers, such as `Last-Event-ID`. Throws ResponseError or ConnectionError. */
export type OpenEvents = (
  headers: Readonly<Record<string, string>>,
) => Promise<AsyncIterable<Uint8Array>>

export interface FollowEventsOptions extends StreamOptions {
  /** Id of the event to start after. Default: the next change. */
  readonly afterId?: string
}

/**
 * Yields the changes that the token may see, until `signal` is aborted. Reconnects after the last event, so that no change
 * is missed. An event `ready` says that all changes so far have arrived, an event `reset` that some are lost: the caller
 * must read the state again after both. Throws like `followLogs`. Uses no module of Node, so that a browser can run this.
 */
export async function* followEvents(
  openEvents: OpenEvents,
  { afterId, ...options }: FollowEventsOptions = {},
): AsyncGenerator<DaemonEvent, void> {
  let lastId = afterId
  const open = () =>
    openEvents({
      accept: 'text/event-stream',
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    })
  for await (const { id, event, data } of followStream(open, options)) {
    if (id === undefined) continue
    lastId = id
    // The cast trusts the daemon to send events of the route table's types.
    yield { id, event, data: JSON.parse(data) } as DaemonEvent
  }
}
