import { expect, test } from 'vitest'
import { askOn } from './ask-places.ts'

const place = {
  path: 'src/a.ts',
  number: 1,
  count: 2,
  before: ['line'],
  mine: ['mine'],
  theirs: ['theirs'],
}

async function answer(...answers: readonly string[]) {
  const shown: string[] = []
  const left = [...answers]
  const decided = await askOn({
    show: (lines) => shown.push(...lines),
    read: async () => left.shift(),
    edit: () => ['edited'],
  })(place)
  return { decided, shown }
}

test.each([
  ['m', ['mine']],
  ['Theirs', ['theirs']],
  [' b ', ['mine', 'theirs']],
  ['edit', ['edited']],
  ['l', 'later'],
])('the answer %j decides a place', async (typed, decided) => {
  expect((await answer(typed)).decided).toEqual(decided)
})

test('shows both sides and the place, and asks again after another answer', async () => {
  const { decided, shown } = await answer('yes', 'm')
  expect(decided).toEqual(['mine'])
  expect(shown.join('\n')).toBe(
    '\nsrc/a.ts (1 of 2)\n  line\n<<<<<<< mine\n  mine\n=======\n  theirs\n>>>>>>> generated\nanswer m, t, b, e or l',
  )
})

test('the end of the input leaves a place for later', async () => {
  expect((await answer()).decided).toBe('later')
})
