import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapingLink } from './links.ts'

const links = (record: Record<string, string>) => new Map(Object.entries(record))

test.each([
  [{ a: '/etc' }, 'a'],
  [{ a: '..' }, 'a'],
  [{ 'x/a': '../..' }, 'x/a'],
  [{ 'x/a': '../y/../../z' }, 'x/a'],
  [{ 'x/y/up': '../..', a: 'x/y/up/..' }, 'a'],
  [{ a: 'a' }, 'a'],
  [{ a: 'b', b: 'a' }, 'a'],
] as [Record<string, string>, string][])(
  'finds the escaping or circular link among %j',
  (record, path) => {
    expect(escapingLink(links(record))).toBe(path)
  },
)

test.each([
  {},
  { a: 'b' },
  { a: 'absent/file' },
  { 'x/a': '..' },
  { 'x/y/up': '../..', a: 'x/y/up' },
  { 'x/a': './/../x/./b' },
])('accepts the links %j, which stay inside', (record) => {
  expect(escapingLink(links(record as Record<string, string>))).toBe(undefined)
})

test('accepted links resolve inside the folder on the file system', () => {
  const name = fc.constantFrom('a', 'b', 'c')
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
  const target = fc
    .array(fc.constantFrom('a', 'b', 'c', '..', '.'), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join('/'))
  fc.assert(
    fc.property(fc.array(fc.tuple(path, target), { maxLength: 6 }), (pairs) => {
      const outside = realpathSync(mkdtempSync(join(tmpdir(), 'strata-links-')))
      const root = join(outside, 'deep/root')
      mkdirSync(root, { recursive: true })
      try {
        const made = new Map<string, string>()
        for (const [at, to] of pairs) {
          // git cannot store a link and a folder at the same path.
          if (
            [...made.keys()].some(
              (one) => `${at}/`.startsWith(`${one}/`) || one.startsWith(`${at}/`),
            )
          )
            continue
          mkdirSync(dirname(join(root, at)), { recursive: true })
          symlinkSync(to, join(root, at))
          made.set(at, to)
        }
        if (escapingLink(made) !== undefined) return
        for (const at of made.keys()) {
          const real = realOf(join(root, at))
          if (real !== undefined) expect(`${real}${sep}`.startsWith(`${root}${sep}`), at).toBe(true)
        }
      } finally {
        rmSync(outside, { recursive: true, force: true })
      }
    }),
    { numRuns: 300 },
  )
})

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
