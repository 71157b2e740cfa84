import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('page', import.meta.url))
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path),
)

/** The files outside the page whose code it may import: the client of the API, without Node's modules and zod. */
const outside = [
  '../room-paths.ts',
  ...['browser', 'duration', 'endpoints', 'errors', 'events', 'follow-events', 'states'].map(
    (name) => `../../client/${name}.ts`,
  ),
]
const packages = ['preact', 'preact/hooks', '@preact/signals', 'uplot', 'anser']

test('the page imports its own files, the client of the API and five packages', () => {
  expect(files.length).toBeGreaterThan(50)
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((path) =>
        path.startsWith('..')
          ? !outside.includes(path)
          : !files.includes(path) && !packages.includes(path),
      )
      .map((path) => `${file} imports ${path}`),
  )
  expect(wrong).toEqual([])
})

test.each([
  [
    'turns no text into HTML',
    /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write/,
  ],
  ['evaluates no text', /\beval\(|new Function\(|setTimeout\(['"`]/],
  ['uses no cookie', /document\.cookie/],
])('the page %s', (_, pattern) => {
  expect(files.filter((file) => pattern.test(textOf(file)))).toEqual([])
})

test('local storage holds settings of the view only, and session storage the token', () => {
  const users = (name: string) => files.filter((file) => textOf(file).includes(name)).sort()
  expect(users('sessionStorage')).toEqual(['state/token.ts'])
  expect(users('localStorage')).toEqual(['apply-theme.ts', 'palette/setting.ts', 'state/theme.ts'])
})

/** Returns the files and packages whose code a file imports: a bundler removes imports of types. */
function importsOf(file: string): string[] {
  const sources = textOf(file).matchAll(
    /^import (?!type )(?:[^']* from )?'([^']+)'|import\('([^']+)'\)/gm,
  )
  return [...sources].map(([, named, loaded]) => {
    const source = named ?? loaded ?? ''
    return source.startsWith('.') ? relative(root, join(root, dirname(file), source)) : source
  })
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}
