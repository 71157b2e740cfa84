import { expect, test } from 'vitest'
import { createBatches } from './batches.ts'

const never = new AbortController().signal

function setUp() {
  const runs: { key: string; end: (error?: Error) => void; signal: AbortSignal }[] = []
  const batches = createBatches<string>(
    (key) => key,
    (key, signal) =>
      new Promise((resolve, reject) => {
        runs.push({ key, signal, end: (error) => (error ? reject(error) : resolve()) })
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  return { runs, batches, turn }
}

test('callers before a run share the run, and callers during the run share the next run', async () => {
  const { runs, batches, turn } = setUp()
  const early = [batches.join('a', never), batches.join('a', never)]
  await turn()
  expect(runs).toHaveLength(1)
  const late = [batches.join('a', never), batches.join('a', never)]
  await turn()
  expect(runs).toHaveLength(1)
  runs[0]?.end()
  await Promise.all(early)
  await turn()
  expect(runs).toHaveLength(2)
  runs[1]?.end()
  await Promise.all(late)
  await batches.stop(new Error('stopped'))
})

test('runs with different keys are not shared and run one after the other', async () => {
  const { runs, batches, turn } = setUp()
  const both = [batches.join('a', never), batches.join('b', never)]
  await turn()
  expect(runs.map(({ key }) => key)).toEqual(['a'])
  runs[0]?.end(new Error('a has failed'))
  await expect(both[0]).rejects.toThrow('a has failed')
  await turn()
  expect(runs.map(({ key }) => key)).toEqual(['a', 'b'])
  runs[1]?.end()
  await both[1]
})

test('a run is aborted when its last caller leaves, and never starts without callers', async () => {
  const { runs, batches, turn } = setUp()
  const [one, two, three] = [new AbortController(), new AbortController(), new AbortController()]
  const first = batches.join('a', one.signal)
  const second = batches.join('a', two.signal)
  await turn()
  const third = batches.join('a', three.signal)
  one.abort(new Error('one'))
  await expect(first).rejects.toThrow('one')
  expect(runs[0]?.signal.aborted).toBe(false)
  three.abort(new Error('three'))
  await expect(third).rejects.toThrow('three')
  two.abort(new Error('two'))
  await expect(second).rejects.toThrow('two')
  expect(runs[0]?.signal.aborted).toBe(true)
  await turn()
  expect(runs).toHaveLength(1)
  await expect(batches.join('a', AbortSignal.abort(new Error('late')))).rejects.toThrow('late')
})

test('stop aborts running and waiting batches, and later callers start a new run', async () => {
  const { runs, batches, turn } = setUp()
  const running = batches.join('a', never)
  await turn()
  const waiting = batches.join('b', never)
  const stopped = batches.stop(new Error('removed'))
  await expect(running).rejects.toThrow('removed')
  await expect(waiting).rejects.toThrow('removed')
  await stopped
  expect(runs.map(({ key, signal }) => [key, signal.aborted])).toEqual([['a', true]])
  const next = batches.join('a', never)
  await turn()
  runs[1]?.end()
  await next
})
