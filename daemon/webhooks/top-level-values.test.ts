import fc from 'fast-check'
import { expect, test } from 'vitest'
import { topLevelValues } from './top-level-values.ts'

const keys = ['repository', 'project', 'a"b\\']

test('the top-level values of a JSON object are found in any layout', async () => {
  const key = fc.oneof(fc.constantFrom(...keys, 'ref', ''), fc.string())
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(key, fc.jsonValue({ maxDepth: 4 })),
      fc.constantFrom('', ' ', '\t'),
      async (object, indent) => {
        const bytes = Buffer.from(JSON.stringify(object, null, indent))
        const found = JSON.parse(await topLevelValues(bytes, ['repository', 'project']))
        const { repository, project } = JSON.parse(bytes.toString())
        const has = (name: string) => Object.hasOwn(object, name)
        expect(found).toEqual({
          ...(has('repository') && { repository }),
          ...(has('project') && { project }),
        })
      },
    ),
  )
})

test('values of nested objects and of more than 64 KiB are left out', async () => {
  const nested = { commits: [{ repository: 1 }], other: { repository: 2 } }
  expect(await topLevelValues(Buffer.from(JSON.stringify(nested)), ['repository'])).toBe('{}')
  const large = { repository: 'x'.repeat(70_000), project: 1 }
  expect(await topLevelValues(Buffer.from(JSON.stringify(large)), keys)).toBe('{"project":1}')
})

test('the last of several equal keys counts, as in JSON.parse', async () => {
  const bytes = Buffer.from('{"project":1,"project":2}')
  expect(await topLevelValues(bytes, keys)).toBe('{"project":2}')
})

test.each([
  ['quotes', '"'.repeat(5_000_000)],
  ['backslashes in a string', `{"${'\\'.repeat(5_000_000)}`],
  ['escaped quotes', `{"${'\\"'.repeat(2_500_000)}`],
  ['white space after strings', `{${`"a"${' '.repeat(50)}`.repeat(100_000)}`],
  ['equal keys', `{${'"project":1,'.repeat(400_000)}`],
  ['brackets', '['.repeat(5_000_000)],
  ['closing brackets', '}'.repeat(5_000_000)],
])('5 MB of %s are scanned in one pass', async (_, text) => {
  const bytes = Buffer.from(text)
  const begun = performance.now()
  expect((await topLevelValues(bytes, keys)).length).toBeLessThan(100)
  expect(performance.now() - begun).toBeLessThan(2_000)
})
