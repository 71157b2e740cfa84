import type { EventName, EventOf } from '../api/events.ts'
import type { Client } from './client.ts'
import { followStream, type StreamOptions, streamSilenceMs } from './follow-stream.ts'

/** A change of the daemon's state, with the id to resume after. */
export type DaemonEvent = {
  readonly [Name in EventName]: {
    readonly id: string
    readonly event: Name
    readonly data: EventOf<Name>
  }
}[EventName]

export interface FollowEventsOptions extends StreamOptions {
  /** Id of the event to start after. Default: the next change. */
  readonly afterId?: string
}

/**
 * Yields the changes that the token may see, until `signal` is aborted. Reconnects after the last event, so that no change
 * is missed. An event `ready` says that all changes so far have arrived, an event `reset` that some are lost: the caller
 * must read the state again after both. Throws like `followLogs`.
 */
export async function* followEvents(
  client: Pick<Client, 'open'>,
  { afterId, ...options }: FollowEventsOptions = {},
): AsyncGenerator<DaemonEvent, void> {
  let lastId = afterId
  const open = () =>
    client.open('followEvents', {
      headers: {
        accept: 'text/event-stream',
        ...(lastId !== undefined && { 'last-event-id': lastId }),
      },
      silenceMs: streamSilenceMs,
      ...(options.signal && { signal: options.signal }),
    })
  for await (const { id, event, data } of followStream(open, options)) {
    if (id === undefined) continue
    lastId = id
    // The cast trusts the daemon to send events of the route table's types.
    yield { id, event, data: JSON.parse(data) } as DaemonEvent
  }
}
