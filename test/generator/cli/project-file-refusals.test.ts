import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { storeKinds } from '../../../src/generator/model/store-kinds.ts'
import { availableKinds } from '../../../src/generator/stores/stores.ts'
import { project } from '../../support/generator/folders.ts'
import { marked, refused } from '../../support/generator/refusal.ts'

test.each<[string, (text: string) => string, string, string?]>([
  [
    'is truncated',
    (text) => text.slice(0, 30),
    'line 3, column 14: invalid or unclosed text in quotes',
    '  "name": "sh«»',
  ],
  [
    'has a trailing comma',
    (text) => text.replace('false,', 'false,,'),
    'line 6, column 17: expected a key in double quotes',
    '  "auth": false,«,»',
  ],
  ['is empty', () => '', 'line 1, column 1: expected a value', '«»'],
  [
    'has an unknown key',
    (text) => text.replace('"auth"', '"feature": {}, "auth"'),
    'unknown key "feature": did you mean features? the keys are strata, name,',
  ],
  [
    'has an unknown key in a feature',
    (text) => text.replace('"fields"', '"serach": [], "fields"'),
    'features.Book: unknown key "serach": did you mean search? the keys are plural, fields, search, protect, owner, private',
  ],
  [
    'has an unknown key in deploy',
    (text) => text.replace('"health"', '"helth"'),
    'deploy: unknown key "helth": did you mean health? the keys are root, build, start, static,',
  ],
  [
    'has two entities of one plural',
    (text) => text.replace('"Book":', '"Books": { "fields": ["a:int"] }, "Book":'),
    'features.Book: Book and the existing Books share the plural books: choose another plural for Book with --plural, or with "plural" in strata.json',
  ],
  [
    'lacks a key',
    (text) => text.replace('"auth": false,', ''),
    'auth: missing: write true or false',
  ],
  [
    'has a text instead of a boolean',
    (text) => text.replace('false', '"no"'),
    'auth: expected true or false, not "no"',
  ],
  [
    'has another version',
    (text) => text.replace('"strata": 1', '"strata": 2'),
    'strata: expected 1, not 2',
  ],
  [
    'has a duplicate key',
    (text) => text.replace('"auth"', '"name": "x", "auth"'),
    'line 6, column 3: duplicate key "name"',
    '  «"»name": "x", "auth": false,',
  ],
  [
    'has an unknown kind',
    (text) => text.replace('"sqlite"', '"sqlight"'),
    'database: unknown store kind "sqlight": did you mean sqlite?',
    '«sqlight»',
  ],
  ...storeKinds
    .filter((kind) => !availableKinds.includes(kind))
    .map((kind): [string, (text: string) => string, string, string] => [
      `has the kind ${kind}, which does not work yet,`,
      (text) => text.replace('"sqlite"', `"${kind}"`),
      `the store kind ${kind} is not available yet: the available kinds are ${availableKinds.join(', ')}`,
      `«${kind}»`,
    ]),
  [
    'has an invalid name',
    (text) => text.replace('"name": "shop"', '"name": "../shop"'),
    'name: invalid project name "../shop": a name is not a path',
    '«../shop»',
  ],
  [
    'has an invalid field',
    (text) => text.replace('title:string', 'title:strng'),
    'features.Book.fields[0]: unknown type "strng": did you mean string?',
    'title:«strng»',
  ],
  [
    'has a duplicate field',
    (text) => text.replace('"title:string"', '"title:string", "title:int"'),
    'features.Book.fields[1]: title is declared twice: leave one out',
    '«title»:int',
  ],
  [
    'has a duplicate entity',
    (text) => text.replace('"Book":', '"book": { "fields": ["a:int"] }, "Book":'),
    'features.Book: duplicate entity Book',
  ],
])('a strata.json that %s is refused', async (_, edit, sentence, place) => {
  const root = await project('Book title:string')
  const file = join(root, 'strata.json')
  writeFileSync(file, edit(readFileSync(file, 'utf8')))
  const lines = await refused(root, ['feature', 'Author', 'name:string'], 2)
  expect(lines[0]).toMatch(/^error: (strata\.json: |the store kind )/)
  expect(lines[0]).toContain(sentence)
  expect(marked(lines)).toBe(place)
})

test('a strata.json that is a symlink causes a conflict', async () => {
  const root = await project()
  const file = join(root, 'strata.json')
  writeFileSync(`${root}.json`, readFileSync(file))
  rmSync(file)
  symlinkSync(`${root}.json`, file)
  const lines = await refused(root, ['feature', 'Author', 'name:string'], 3)
  expect(lines[0]).toBe(
    'error: strata.json is a symlink, and strata does not write through symlinks: replace the symlink by its target',
  )
})
