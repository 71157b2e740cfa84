import type { Client } from './client.ts'
import type { OpenEvents } from './follow-events.ts'
import { streamSilenceMs } from './follow-stream.ts'

/** Returns the function that opens the event stream of a daemon, for `followEvents`. */
export function openEvents(
  client: Pick<Client, 'open'>,
  signal: AbortSignal | undefined,
): OpenEvents {
  return (headers) =>
    client.open('followEvents', {
      headers,
      silenceMs: streamSilenceMs,
      ...(signal && { signal }),
    })
}
