import { expect, test } from 'vitest'
import { mergeFile } from './merge-file.ts'

const base = `export function createRepository({ prisma }) {
  const table = prisma.book
  // A table of books.
  return { find: (id) => table.find(id, 'table'), count: () => table.count() }
}
`
const disk = base.replace('const table', 'const rows').replaceAll('=> table', '=> rows')
const path = 'src/repositories/book.ts'

test('new code has the name that the person gave to a local', async () => {
  const next = base.replace('  // A', '  table.check(prisma.table)\n  // A')
  const merge = await mergeFile(path, { base, disk, next })
  expect(merge).toMatchObject({ kind: 'write' })
  const text = merge.kind === 'write' ? merge.text : ''
  expect(text).toContain('  rows.check(prisma.table)\n  // A table')
})

test.each([
  ['that the person still uses', disk.replace('rows.count', 'table.count')],
  ['with two new names', disk.replace('rows.count', 'other.count')],
])('leaves a name %s', async (_, yours) => {
  const next = `${base}\nexport const again = table\n`
  const merge = await mergeFile(path, { base, disk: yours, next })
  expect(merge.kind === 'write' && merge.text).toBe(`${yours}\nexport const again = table\n`)
})
