import { expect, test } from 'vitest'
import { findItems } from './find-commands.ts'

const items = [
  { text: 'Overview', note: 'room' },
  { text: 'feature/new-shop', note: 'branch of blog' },
  { text: 'main', note: 'branch of shop' },
  { text: 'shop', note: 'project' },
  { text: 'workshop', note: 'project' },
]
const found = (query: string) => findItems(items, query, 10).map(({ text }) => text)

test('the palette shows everything in order for an empty query', () => {
  expect(found('  ')).toEqual(items.map(({ text }) => text))
  expect(findItems(items, '', 2)).toHaveLength(2)
})

test('the palette ranks beginnings before words, words before parts, and names before notes', () => {
  expect(found('shop')).toEqual(['shop', 'feature/new-shop', 'workshop', 'main'])
})

test('the palette needs every word, in any case and from the name or the note', () => {
  expect(found('MAIN shop')).toEqual(['main'])
  expect(found('main blog')).toEqual([])
})
