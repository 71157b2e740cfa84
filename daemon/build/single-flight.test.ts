import { expect, test } from 'vitest'
import { createSingleFlight } from './single-flight.ts'

const never = new AbortController().signal

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('concurrent callers share one run, and later callers start another run', async () => {
  const flights = createSingleFlight<number>()
  let runs = 0
  const run = async () => {
    runs += 1
    return runs
  }
  const many = Array.from({ length: 10 }, () => flights.share('a', never, run))
  expect(many.map(({ isFirst }) => isFirst)).toEqual([true, ...Array(9).fill(false)])
  expect(await Promise.all(many.map(({ value }) => value))).toEqual(Array(10).fill(1))
  expect(await flights.share('a', never, run).value).toBe(2)
})

test('runs with different keys are concurrent', async () => {
  const flights = createSingleFlight<string>()
  const { open, opened } = gate()
  const slow = flights.share('slow', never, async () => {
    await opened
    return 'slow'
  })
  expect(await flights.share('fast', never, async () => 'fast').value).toBe('fast')
  open()
  expect(await slow.value).toBe('slow')
})

test('a run is aborted only when all its callers have aborted', async () => {
  const flights = createSingleFlight<void>()
  const [one, two] = [new AbortController(), new AbortController()]
  let ended = false
  const run = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => {
      signal.addEventListener('abort', () => {
        ended = true
        reject(signal.reason)
      })
    })
  const first = flights.share('a', one.signal, run).value
  const second = flights.share('a', two.signal, run).value
  await Promise.resolve()
  one.abort(new Error('one'))
  await expect(first).rejects.toThrow('one')
  expect(ended).toBe(false)
  two.abort(new Error('two'))
  await expect(second).rejects.toThrow('two')
  expect(ended).toBe(true)
})

test('a caller after an aborted run starts a new run, which waits for the end of the old one', async () => {
  const flights = createSingleFlight<string>()
  const { open, opened } = gate()
  const gone = new AbortController()
  const order: string[] = []
  const first = flights.share('a', gone.signal, async () => {
    await opened
    order.push('old')
    return 'old'
  }).value
  gone.abort(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  const next = flights.share('a', never, async () => {
    order.push('new')
    return 'new'
  }).value
  open()
  expect(await next).toBe('new')
  expect(order).toEqual(['old', 'new'])
})

test('all callers of a failed run get its error', async () => {
  const flights = createSingleFlight<void>()
  const run = async () => {
    throw new Error('no')
  }
  const both = [flights.share('a', never, run).value, flights.share('a', never, run).value]
  for (const one of await Promise.allSettled(both)) expect(one.status).toBe('rejected')
})
