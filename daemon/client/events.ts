/** A server-sent event. `id` is the last id of the stream, possibly of an earlier event. */
export interface StreamEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** Parses a `text/event-stream`. Drops an event that the stream cuts off. Throws if a line exceeds 16 MiB. */
export async function* parseEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  let id: string | undefined
  let event = ''
  let data: string[] = []
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    if (rest.length > maxLineLength) throw new Error('a line of the event stream is too long')
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const raw of lines) {
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
      if (line === '') {
        if (data.length > 0) yield { id, event: event || 'message', data: data.join('\n') }
        event = ''
        data = []
        continue
      }
      const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
      if (field === 'id') id = value
      else if (field === 'event') event = value
      else if (field === 'data') data.push(value)
    }
  }
}

/** Maximum line length, far above the 64 KiB of a log line. */
const maxLineLength = 16 * 2 ** 20
