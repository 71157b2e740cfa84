import { mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProject } from '../../../src/generator/write/create-project.ts'
import { nodeProcesses, tokenOf } from '../../../src/generator/write/owner.ts'
import { watchedDisk } from '../../support/generator/write/disks.ts'
import { newProjectPlan, put } from '../../support/generator/write/sample.ts'
import { temporaryFolder } from '../../support/generator/write/temporary-folder.ts'
import { hashTree, treeFiles } from '../../support/tree.ts'

test('a missing target becomes the project, without leftovers beside it', () => {
  const parent = temporaryFolder()
  const target = join(parent, 'app')
  createProject(target, newProjectPlan(target))
  expect([...treeFiles(target)]).toEqual([
    ['.env', 'SECRET=1\n'],
    ['package.json', '{}\n'],
    ['src/domain/post.ts', 'post\n'],
    ['src/main.ts', 'main\n'],
  ])
  expect(readdirSync(parent)).toEqual(['app'])
  expect(statSync(join(target, '.env')).mode & 0o777).toBe(0o600)
})

test('an empty folder becomes the project and keeps its mode', () => {
  const target = join(temporaryFolder(), 'app')
  mkdirSync(target, 0o700)
  createProject(target, newProjectPlan(target))
  expect(treeFiles(target).size).toBe(4)
  expect(statSync(target).mode & 0o777).toBe(0o700)
})

test.each<[string, (parent: string) => void, string]>([
  ['a folder with something in it', (parent) => put(parent, 'app/mine', ''), 'is not empty'],
  ['a folder with a hidden file', (parent) => put(parent, 'app/.keep', ''), 'is not empty'],
  ['a file', (parent) => put(parent, 'app', ''), 'is not a folder'],
  ['a symlink to an empty folder', linkToEmptyFolder, 'is a symlink'],
  ['a dangling symlink', (parent) => symlinkSync('nowhere', join(parent, 'app')), 'is a symlink'],
])('%s is a conflict that changes nothing', (_, prepare, message) => {
  const parent = temporaryFolder()
  prepare(parent)
  const before = hashTree(parent)
  const target = join(parent, 'app')
  expect(() => createProject(target, newProjectPlan(target))).toThrow(
    expect.objectContaining({ kind: 'conflict', message: expect.stringContaining(message) }),
  )
  expect(hashTree(parent)).toBe(before)
})

test.each<[string, (target: string) => void]>([
  ['files', (target) => put(target, 'mine', 'mine')],
  ['a file', (target) => put(target, '', 'mine')],
])('a target that %s takes during staging stays unchanged', (_, interfere) => {
  const parent = temporaryFolder()
  const target = join(parent, 'app')
  const disk = watchedDisk(({ name }) => {
    if (name === 'rename') interfere(target)
  })
  expect(() => createProject(target, newProjectPlan(target), { disk })).toThrow(
    expect.objectContaining({ kind: 'conflict' }),
  )
  expect(readdirSync(parent)).toEqual(['app'])
  expect([...treeFiles(parent).values()]).toEqual(['mine'])
})

test('the error for a missing parent folder asks to create it', () => {
  const target = join(temporaryFolder(), 'no/app')
  expect(() => createProject(target, newProjectPlan(target))).toThrow(
    expect.objectContaining({
      kind: 'failure',
      message: expect.stringContaining('create it first'),
    }),
  )
})

test('an edit in the plan of a new project is a conflict', () => {
  const parent = temporaryFolder()
  const root = join(parent, 'app')
  const actions = [{ kind: 'edit', path: 'a', before: 'a', after: 'b', reason: 'wired' }] as const
  expect(() => createProject(root, { root, actions })).toThrow(
    expect.objectContaining({ kind: 'conflict' }),
  )
  expect(readdirSync(parent)).toEqual([])
})

test('only leftovers of dead runs with the same project name are removed', () => {
  const parent = temporaryFolder()
  const living = tokenOf(nodeProcesses.self())
  const dead = '999999999-1-0123456789ab'
  const kept = [
    `.app.strata-${living}`,
    `.app.strata-notes`,
    `.apps.strata-${dead}`,
    `.my.app.strata-${dead}`,
  ]
  for (const name of [...kept, `.app.strata-${dead}`]) put(parent, `${name}/src/a.ts`, '')
  createProject(join(parent, 'app'), newProjectPlan(join(parent, 'app')))
  expect(readdirSync(parent).sort()).toEqual([...kept, 'app'].sort())
})

test('a leftover symlink is removed without its target', () => {
  const parent = temporaryFolder()
  const outside = temporaryFolder()
  put(outside, 'mine', 'mine')
  symlinkSync(outside, join(parent, '.app.strata-999999999-1-0123456789ab'))
  createProject(join(parent, 'app'), newProjectPlan(join(parent, 'app')))
  expect(readdirSync(parent)).toEqual(['app'])
  expect(readdirSync(outside)).toEqual(['mine'])
})

function linkToEmptyFolder(parent: string): void {
  mkdirSync(join(parent, 'empty'))
  symlinkSync('empty', join(parent, 'app'))
}
