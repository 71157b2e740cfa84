/** One server-sent event; `id` is the last that the stream gave. */
export interface StreamEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** The events of a `text/event-stream` as they come; one that is cut off is left out. Throws for one without end. */
export async function* eventsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  let id: string | undefined
  let event = ''
  let data: string[] = []
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    if (rest.length > longest) throw new Error('an event of the stream has no end')
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

/** A line of a log has 64 KiB at most. */
const longest = 16 * 2 ** 20
