import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { StrataError } from '../../../src/generator/errors.ts'
import type { Plan } from '../../../src/generator/plan/plan.ts'
import { applyPlan } from '../../../src/generator/write/apply-plan.ts'
import { createProject } from '../../../src/generator/write/create-project.ts'
import type { Disk } from '../../../src/generator/write/disk.ts'
import { withProjectLock } from '../../../src/generator/write/project-lock.ts'
import { recoverProject } from '../../../src/generator/write/recover-project.ts'
import { failingDisk, fullDisk, watchedDisk } from '../../support/generator/write/disks.ts'
import { fakeProcesses } from '../../support/generator/write/fake-processes.ts'
import { newProjectPlan, samplePlan, sampleProject } from '../../support/generator/write/sample.ts'
import {
  temporaryFolder,
  temporaryProject,
} from '../../support/generator/write/temporary-folder.ts'
import { hashTree, treeFiles } from '../../support/tree.ts'

const processes = fakeProcesses()

test.each([
  ['ENOSPC, once,', 'the disk is full', (at: number) => failingDisk(at, 'ENOSPC')],
  ['ENOSPC, from then on,', 'the disk is full', fullDisk],
  ['EACCES', 'strata has no permission to write here', (at: number) => failingDisk(at, 'EACCES')],
  ['EROFS', 'the file system is read-only', (at: number) => failingDisk(at, 'EROFS')],
  ['EIO', 'the disk reported an input/output error', (at: number) => failingDisk(at, 'EIO')],
])('%s at any operation changes nothing, or the next run completes it', async (...fault) => {
  const [, sentence, diskFailingAt] = fault
  const done = temporaryProject()
  const oldHash = hashTree(done)
  const operations = await countChanges(done)
  const newHash = hashTree(done)
  const messages = new Set<string>()
  for (let at = 0; at < operations; at++) {
    const root = temporaryProject()
    const error = await failureOf(() => apply(root, diskFailingAt(at)))
    messages.add(error?.message ?? 'done')
    if (error === undefined) {
      // A run may succeed although the removal of an emptied folder or of the lock fails.
      await recover(root)
      expect(treeFiles(root), `failed at ${at}`).toEqual(treeFiles(done))
    } else if (error.message.endsWith('nothing was changed')) {
      expect(hashTree(root), `failed at ${at}`).toBe(oldHash)
      expect(await recover(root)).toBe('clean')
    } else {
      expect(await recover(root), `failed at ${at}`).toBe('completed')
      expect(hashTree(root)).toBe(newHash)
    }
  }
  expect([...messages].sort()).toEqual([
    'done',
    `${sentence}: nothing was changed`,
    `${sentence}: the change is stored in .strata and the next strata run completes it`,
  ])
})

test.each(['ENOSPC', 'EACCES', 'EIO'])('%s at any operation of an init leaves no files', (code) => {
  for (let at = 0; ; at++) {
    const parent = temporaryFolder()
    const target = join(parent, 'app')
    const run = () => createProject(target, newProjectPlan(target), { disk: failingDisk(at, code) })
    if (failureOfSync(run) === undefined) break
    expect(run).toThrow(expect.objectContaining({ kind: 'failure' }))
    expect(run).toThrow(/: nothing was changed$/)
    expect(readdirSync(parent)).toEqual([])
  }
})

test('on a full file system, a feature and an init change nothing', async (context) => {
  const disk = smallDisk(context)
  const root = sampleProject(join(disk, 'project'))
  const before = hashTree(disk)
  const huge: Plan = {
    root,
    actions: [
      ...samplePlan(root).actions,
      { kind: 'create', path: 'zzz.txt', after: 'x'.repeat(2 ** 20), reason: 'new' },
    ],
  }
  const full = { kind: 'failure', message: 'the disk is full: nothing was changed' }
  const run = () => withProjectLock(root, () => applyPlan(huge))
  await expect(run()).rejects.toMatchObject(full)
  expect(hashTree(disk)).toBe(before)
  const creates = huge.actions.filter((action) => action.kind === 'create')
  const target = join(disk, 'app')
  const init = () => createProject(target, { root: target, actions: creates })
  expect(init).toThrow(expect.objectContaining(full))
  expect(hashTree(disk)).toBe(before)
  await withProjectLock(root, () => applyPlan(samplePlan(root)))
  expect(hashTree(disk)).not.toBe(before)
})

/** Mounts a file system of 256 KiB. Skips the test if mounting is impossible. */
function smallDisk(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-full-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    rmdirSync(folder)
    context.skip(`a small tmpfs cannot be mounted here: ${String(error)}`)
  }
  onTestFinished(() => {
    execFileSync('umount', [folder])
    rmdirSync(folder)
  })
  return folder
}

async function apply(root: string, disk: Disk): Promise<void> {
  const run = processes.start()
  const work = async () => {
    await recoverProject(root, disk)
    applyPlan(samplePlan(root), disk)
  }
  await withProjectLock(root, work, { disk, processes: run, waitMs: 0 }).finally(run.die)
}

async function countChanges(root: string): Promise<number> {
  let count = 0
  const disk = watchedDisk(({ index }) => {
    if (index !== undefined) count++
  })
  await apply(root, disk)
  return count
}

async function recover(root: string) {
  const run = processes.start()
  const options = { processes: run, waitMs: 0 }
  return withProjectLock(root, () => recoverProject(root), options).finally(run.die)
}

async function failureOf(run: () => Promise<void>): Promise<StrataError | undefined> {
  try {
    await run()
    return undefined
  } catch (error) {
    if (error instanceof StrataError) return error
    throw error
  }
}

function failureOfSync(run: () => void): StrataError | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof StrataError) return error
    throw error
  }
}
