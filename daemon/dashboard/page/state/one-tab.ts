/** Work that one tab does for all tabs of the browser. */
export interface Shared<Message> {
  /** Runs in one tab at a time, and sends messages to the other tabs by `tell`. Another tab follows when the promise settles. */
  readonly lead: (tell: (message: Message) => void) => Promise<void>
  /** Called when another tab leads already: it does not repeat its earlier messages. */
  readonly join: () => void
  /** Called in the other tabs. */
  readonly receive: (message: Message) => void
}

/**
 * Shares work between the tabs of this browser that use the same name: a browser opens only six connections to one host over
 * HTTP/1.1, so seven tabs with a stream each would wait for each other forever. Each tab leads for itself where the browser
 * has no locks: they need HTTPS or a loopback address. Resolves or rejects with `lead`, and when `signal` is aborted.
 */
export async function inOneTab<Message>(
  name: string,
  signal: AbortSignal,
  { lead, join, receive }: Shared<Message>,
): Promise<void> {
  if (!navigator.locks) return lead(() => {})
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data))
  try {
    const leadOthers = () => lead((message) => channel.postMessage(message))
    const isFree = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await leadOthers()
      return lock !== null
    })
    if (isFree) return
    join()
    await navigator.locks.request(name, { signal }, leadOthers)
  } finally {
    channel.close()
  }
}
