import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { storeKinds } from '../../../src/generator/model/store-kinds.ts'
import { availableKinds } from '../../../src/generator/stores/stores.ts'
import { temporaryFolder } from '../../support/generator/folders.ts'
import { marked, refused } from '../../support/generator/refusal.ts'

test.each([
  ['.', 'a name is not a path'],
  ['../shop', 'a name is not a path'],
  ['/srv/shop', 'a name is not a path'],
  ['@acme/shop', 'a scope belongs to --module'],
  ['my shop', "it can't contain spaces"],
  ['', 'it is empty'],
  ['Shop', 'name can no longer contain capital letters'],
  ['node_modules', 'node_modules is not a valid package name'],
  ['favicon.ico', 'favicon.ico is not a valid package name'],
  ['http', 'http is a core module name'],
  ['con', 'Windows does not allow such a folder'],
  ['café', 'name can only contain URL-friendly characters'],
  ['x'.repeat(215), 'name can no longer contain more than 214 characters'],
])('init %j is refused: %s', async (name, reason) => {
  const lines = await refused(temporaryFolder(), ['init', name, ...quick], 2)
  expect(lines[0]).toContain(`invalid project name ${JSON.stringify(name)}: ${reason}`)
  expect(lines[0]).toMatch(/, try "[a-z0-9._-]+"$/)
  // A long line is shortened.
  expect(marked(lines)).toBe(name.length > 100 ? `«${name.slice(0, 100)}»…` : `«${name}»`)
})

test.each([
  ['http', 'http is a core module name, try "my-http"'],
  ['example.com/acme/shop', 'name can only contain URL-friendly characters, try "@acme/shop"'],
  ['a b', `it can't contain spaces, try "a-b"`],
])('the module name %j is refused with a valid proposal', async (module, sentence) => {
  const lines = await refused(temporaryFolder(), ['init', 'shop', '--module', module, ...quick], 2)
  expect(lines[0]).toBe(`error: invalid module name ${JSON.stringify(module)}: ${sentence}`)
  expect(marked(lines)).toBe(`«${module}»`)
})

test.each<[string, string]>([
  ['postgress', 'unknown store kind "postgress": did you mean postgres?'],
  ['sqlite3', 'unknown store kind "sqlite3": did you mean sqlite?'],
  ['', 'unknown store kind "":'],
  ...storeKinds
    .filter((kind) => !availableKinds.includes(kind))
    .map((kind): [string, string] => [
      kind,
      `the store kind ${kind} is not available yet: the available kinds are`,
    ]),
])('--database %j is refused: %s', async (kind, sentence) => {
  const lines = await refused(temporaryFolder(), ['init', 'shop', '--database', kind, ...quick], 2)
  expect(lines[0]).toContain(`error: ${sentence}`)
  expect(lines[0]?.endsWith(` ${availableKinds.join(', ')}`)).toBe(true)
  expect(marked(lines)).toBe(`«${kind}»`)
})

test.each([
  [['init', 'shop', '--dry'], "unknown option '--dry'"],
  [['init', 'shop', '--database'], "option '--database <kind>' argument missing"],
  [['init', 'shop', 'two'], 'too many arguments'],
  [['init'], "missing required argument 'project_name'"],
  [['initialize', 'shop'], "unknown command 'initialize'"],
  [['--frob'], "unknown option '--frob'"],
])('strata %j is refused: %s', async (args, sentence) => {
  const lines = await refused(temporaryFolder(), args, 2)
  expect(lines[0]).toContain(sentence)
})

test('an unknown option or command is refused with the nearest valid one', async () => {
  const option = await refused(temporaryFolder(), ['init', 'shop', '--dryrun'], 2)
  expect(option.join('\n')).toContain('(Did you mean --dry-run?)')
  const command = await refused(temporaryFolder(), ['features'], 2)
  expect(command.join('\n')).toContain('(Did you mean feature?)')
})

describe('the target of init', () => {
  test.each([
    ['a folder that is not empty', 'is not empty', (path: string) => put(path, 'notes.txt')],
    ['a folder with a hidden file', 'is not empty', (path: string) => put(path, '.hidden')],
    ['a file', 'is not a folder', (path: string) => writeFileSync(path, 'mine')],
    ['a symlink to an empty folder', 'is a symlink', (path: string) => linkToFolder(path)],
  ])('that is %s causes a conflict, also with --dry-run', async (_, sentence, make) => {
    const folder = temporaryFolder()
    make(join(folder, 'shop'))
    const lines = await refused(folder, ['init', 'shop', ...quick], 3)
    expect(lines).toEqual([
      `error: ${folder}/shop ${sentence}, so nothing was changed: choose another name, or empty the folder`,
    ])
    expect(await refused(folder, ['init', 'shop', ...quick, '--dry-run'], 3)).toEqual(lines)
  })
})

const quick = ['--no-install', '--no-git']

function put(folder: string, name: string): void {
  mkdirSync(folder)
  writeFileSync(join(folder, name), 'mine')
}

function linkToFolder(path: string): void {
  mkdirSync(`${path}-elsewhere`)
  symlinkSync(`${path}-elsewhere`, path)
}
