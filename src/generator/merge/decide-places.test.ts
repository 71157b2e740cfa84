import { expect, test } from 'vitest'
import { type Decision, decidePlaces, type Place } from './decide-places.ts'

const mine = 'a\nmy title\nb\nmy end\n'
const theirs = 'a\ntheir title\nb\ntheir end\n'

test('asks for each place alone, and takes the decided lines', async () => {
  const asked: Place[] = []
  const answers: Decision[] = [['their title'], ['my end', 'their end']]
  const text = await decidePlaces('src/a.ts', { mine, theirs }, async (place) => {
    asked.push(place)
    return answers[asked.length - 1] ?? 'later'
  })
  expect(text).toBe('a\ntheir title\nb\nmy end\ntheir end\n')
  expect(asked).toEqual([
    {
      path: 'src/a.ts',
      number: 1,
      count: 2,
      before: ['a'],
      mine: ['my title'],
      theirs: ['their title'],
    },
    {
      path: 'src/a.ts',
      number: 2,
      count: 2,
      before: ['a', 'their title', 'b'],
      mine: ['my end'],
      theirs: ['their end'],
    },
  ])
})

test('stops at the first place that is left for later', async () => {
  let count = 0
  const text = await decidePlaces('src/a.ts', { mine, theirs }, async () => {
    count += 1
    return 'later'
  })
  expect([text, count]).toEqual([undefined, 1])
})
