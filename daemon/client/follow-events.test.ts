import { expect, test } from 'vitest'
import { ConnectionError, ResponseError } from './errors.ts'
import { type DaemonEvent, followEvents, type OpenEvents } from './follow-events.ts'

const event = (id: string, name: string) => `id: ${id}\nevent: ${name}\ndata: {"id":1}\n\n`

/** Opens one text after the other, and then throws `last`. Notes the ids that were asked for. */
function source(texts: readonly string[], last: Error) {
  const asked: (string | undefined)[] = []
  const open: OpenEvents = async (headers) => {
    asked.push(headers['last-event-id'])
    const text = texts[asked.length - 1]
    if (text === undefined) throw last
    return chunksOf(text)
  }
  return { asked, open }
}

async function* chunksOf(text: string) {
  yield Buffer.from(text)
}

async function read(events: AsyncIterable<DaemonEvent>) {
  const names: string[] = []
  const error = await (async () => {
    for await (const { id, event: name } of events) names.push(`${id} ${name}`)
  })().catch((thrown: unknown) => thrown)
  return { names, error }
}

const revoked = new ResponseError(401, 'unknown, expired or revoked token')

test('resumes after the last event, and throws when the daemon refuses the token', async () => {
  const { asked, open } = source(
    [event('e-1', 'ready'), `${event('e-2', 'node')}${event('e-3', 'node')}id: e-4\nevent: no`],
    revoked,
  )
  const drops: string[] = []
  const { names, error } = await read(followEvents(open, { onDrop: (why) => drops.push(why) }))
  expect(names).toEqual(['e-1 ready', 'e-2 node', 'e-3 node'])
  expect(asked).toEqual([undefined, 'e-1', 'e-3'])
  expect(drops).toHaveLength(2)
  expect(error).toBe(revoked)
})

test('begins after a given id', async () => {
  const { asked, open } = source([], revoked)
  await read(followEvents(open, { afterId: 'e-7' }))
  expect(asked).toEqual(['e-7'])
})

test('throws if the first connection fails, and ends without an error when it is aborted', async () => {
  const lost = new ConnectionError('nothing listens there', { isSent: false })
  expect((await read(followEvents(source([], lost).open))).error).toBe(lost)
  const over = new AbortController()
  const { open } = source([event('e-1', 'ready')], lost)
  const events = followEvents(open, { signal: over.signal, onDrop: () => over.abort() })
  expect(await read(events)).toEqual({ names: ['e-1 ready'], error: undefined })
})
