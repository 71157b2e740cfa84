import { readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { applyPlan } from '../../../src/generator/write/apply-plan.ts'
import { recoverProject } from '../../../src/generator/write/recover-project.ts'
import { diskError, watchedDisk } from '../../support/generator/write/disks.ts'
import { put, samplePlan, sampleProject, textAt } from '../../support/generator/write/sample.ts'
import {
  temporaryFolder,
  temporaryProject,
} from '../../support/generator/write/temporary-folder.ts'
import { hashTree, treeFiles } from '../../support/tree.ts'

test('a project without leftovers is clean and stays unchanged', async () => {
  const root = temporaryProject()
  const before = hashTree(root)
  expect(await recoverProject(root)).toBe('clean')
  expect(hashTree(root)).toBe(before)
})

test('staging without a journal is discarded', async () => {
  const root = temporaryProject()
  const before = hashTree(root)
  put(root, '.strata/staging/0', 'half a te')
  put(root, '.strata/staging/journal.json', '{"version":1,"steps":[')
  expect(await recoverProject(root)).toBe('discarded')
  expect(hashTree(root)).toBe(before)
})

test('a file that the user edited before its step is not overwritten', async () => {
  const root = interrupted('src/routes.ts')
  put(root, 'src/routes.ts', 'mine\n')
  const before = hashTree(root)
  await expect(recoverProject(root)).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringMatching(
      /^src\/routes\.ts was changed .* move your version away, run strata again, .*\.strata\/staging\/6/,
    ),
  })
  expect(hashTree(root)).toBe(before)
  rmSync(join(root, 'src/routes.ts'))
  expect(await recoverProject(root)).toBe('completed')
  expect(textAt(root, 'src/routes.ts')).toBe('routes 2\n')
})

test('a new text that the user moved by hand completes the run', async () => {
  const root = interrupted('src/routes.ts')
  put(root, 'src/routes.ts', 'routes 2\n')
  expect(await recoverProject(root)).toBe('completed')
  expect(readdirSync(join(root, '.strata'))).toEqual(['base'])
})

test('a file that the user edited after its step keeps the edit', async () => {
  const root = interrupted('src/routes.ts')
  put(root, 'scripts/run.sh', 'new and mine\n')
  put(root, '.env', 'SECRET=mine\n')
  expect(await recoverProject(root)).toBe('completed')
  expect(textAt(root, 'scripts/run.sh')).toBe('new and mine\n')
  expect(textAt(root, '.env')).toBe('SECRET=mine\n')
  expect(textAt(root, 'src/routes.ts')).toBe('routes 2\n')
})

test.each([
  ['.env', 'a secret file without a known hash'],
  ['src/new/deep/post.ts', 'a new file'],
  ['src/old/deep/gone.ts', 'a file to delete'],
])('%s: %s that the user wrote before its step is not overwritten', async (path) => {
  const root = interrupted(path)
  put(root, path, 'mine\n')
  await expect(recoverProject(root)).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining(path),
  })
  expect(textAt(root, path)).toBe('mine\n')
  rmSync(join(root, path))
  expect(await recoverProject(root)).toBe('completed')
})

test('a parent that became a symlink is not followed', async () => {
  const root = interrupted('src/new')
  const outside = temporaryFolder()
  symlinkSync(outside, join(root, 'src/new'))
  await expect(recoverProject(root)).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('src/new is a symlink'),
  })
  expect(readdirSync(outside)).toEqual([])
})

test('a damaged or missing staged text stops the recovery and names the remedy', async () => {
  for (const damage of ['damaged', undefined]) {
    const root = interrupted('src/routes.ts')
    rmSync(join(root, '.strata/staging/6'))
    if (damage) put(root, '.strata/staging/6', damage)
    const before = hashTree(root)
    await expect(recoverProject(root)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('delete .strata/journal.json and .strata/staging'),
    })
    expect(hashTree(root)).toBe(before)
  }
})

test.each([
  ['no JSON', '{"version":1,'],
  ['of another version', '{"version":2,"steps":[]}'],
  [
    'with a staged text outside staging',
    '{"version":1,"steps":[{"kind":"move","path":"a","staged":"../../x"}]}',
  ],
])('a journal that is %s is a conflict that changes nothing', async (_, journal) => {
  const root = temporaryProject()
  put(root, '.strata/journal.json', journal)
  const before = hashTree(root)
  await expect(recoverProject(root)).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('cannot be read'),
  })
  expect(hashTree(root)).toBe(before)
})

test('a malicious journal cannot change files outside the project', async () => {
  for (const path of ['../out', '/tmp/out', '.git/hooks/pre-commit']) {
    const root = sampleProject(join(temporaryFolder(), 'project'))
    put(root, '.strata/staging/0', 'evil')
    const step = { kind: 'move', path, staged: '0' }
    put(root, '.strata/journal.json', JSON.stringify({ version: 1, steps: [step] }))
    const before = treeFiles(join(root, '..'))
    await expect(recoverProject(root)).rejects.toMatchObject({ kind: 'usage' })
    expect(treeFiles(join(root, '..'))).toEqual(before)
  }
})

/** Returns a project whose run stopped after its commit, at the first change of `path`. */
function interrupted(path: string): string {
  const root = temporaryProject()
  const disk = watchedDisk((operation) => {
    const isAt = operation.path === join(root, path)
    if (isAt && operation.index !== undefined) throw diskError('EIO')
  })
  expect(() => applyPlan(samplePlan(root), disk)).toThrow(/the next strata run completes it$/)
  return root
}
