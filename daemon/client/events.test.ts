import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseEvents, type StreamEvent } from './events.ts'

async function read(...chunks: readonly (string | Uint8Array)[]): Promise<StreamEvent[]> {
  const events: StreamEvent[] = []
  const bytes = chunks.map((chunk) => Buffer.from(chunk as string))
  for await (const event of parseEvents(stream(bytes))) events.push(event)
  return events
}

async function* stream(chunks: readonly Uint8Array[]) {
  yield* chunks
}

test('parses id, event name and data of an event', async () => {
  expect(await read('id: 5\ndata: one\n\nevent: end\ndata: {}\n\n')).toEqual([
    { id: '5', event: 'message', data: 'one' },
    { id: '5', event: 'end', data: '{}' },
  ])
})

test('skips comments and joins data lines of one event', async () => {
  expect(await read(': keep-alive\n\n', 'data: a\ndata: b\r\n\r\n')).toEqual([
    { id: undefined, event: 'message', data: 'a\nb' },
  ])
})

test('drops an event that the stream cuts off', async () => {
  expect(await read('id: 1\ndata: whole\n\nid: 2\ndata: hal')).toEqual([
    { id: '1', event: 'message', data: 'whole' },
  ])
  expect(await read('id: 2\ndata: half\n')).toEqual([])
})

test('parses the same events for any split of the bytes', async () => {
  const text = Buffer.from('id: 1\ndata: grüße … 🎉\n\n: x\n\nid: 2\nevent: end\ndata: {}\n\n')
  const whole = await read(text)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 6 }), async (places) => {
      const cuts = [0, ...places.toSorted((a, b) => a - b), text.length]
      const parts = cuts.slice(1).map((end, index) => text.subarray(cuts[index], end))
      expect(await read(...parts)).toEqual(whole)
    }),
  )
})
