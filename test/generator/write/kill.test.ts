import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { applyPlan } from '../../../src/generator/write/apply-plan.ts'
import { createProject } from '../../../src/generator/write/create-project.ts'
import { type Disk, nodeDisk } from '../../../src/generator/write/disk.ts'
import { withProjectLock } from '../../../src/generator/write/project-lock.ts'
import { type Recovery, recoverProject } from '../../../src/generator/write/recover-project.ts'
import { Kill, killingDisk, watchedDisk } from '../../support/generator/write/disks.ts'
import { fakeProcesses } from '../../support/generator/write/fake-processes.ts'
import { newProjectPlan, samplePlan } from '../../support/generator/write/sample.ts'
import {
  temporaryFolder,
  temporaryProject,
} from '../../support/generator/write/temporary-folder.ts'
import { hashTree } from '../../support/tree.ts'

const processes = fakeProcesses()

/** Several thousand runs with several hundred file operations each. */
const manyRuns = { timeout: 240_000 }

test('a run killed at any operation leaves the old project or the new one after the next run', async () => {
  const { oldHash, newHash, operations } = await measure()
  const outcomes: string[] = []
  for (const half of [false, true]) {
    for (let at = 0; at < operations; at++) {
      const root = temporaryProject()
      expect(await dies(apply(root, killingDisk(at, half)))).toBe(true)
      await recover(root)
      const hash = hashTree(root)
      expect([oldHash, newHash], `killed at ${at}`).toContain(hash)
      if (!half) outcomes.push(hash === oldHash ? 'old' : 'new')
      expect(await recover(root)).toBe('clean')
    }
  }
  // There is one commit point: after the first kill that leaves the new project, no later kill
  // leaves the old project.
  expect(outcomes).toEqual([...outcomes].sort().reverse())
  expect(new Set(outcomes).size).toBe(2)
})

test('a run after a kill gives the same project as a run without a kill', async () => {
  const { newHash, operations } = await measure()
  for (let at = 0; at < operations; at++) {
    const root = temporaryProject()
    await dies(apply(root, killingDisk(at)))
    await recover(root)
    if (hashTree(root) !== newHash) await apply(root, nodeDisk)
    expect(hashTree(root)).toBe(newHash)
  }
})

test('a recovery killed at any operation is finished by the next recovery', manyRuns, async () => {
  const { oldHash, newHash, operations } = await measure()
  let recoveriesKilled = 0
  for (let at = 0; at < operations; at++) {
    for (let second = 0; ; second++) {
      const root = temporaryProject()
      await dies(apply(root, killingDisk(at)))
      const killed = await dies(recover(root, killingDisk(second)))
      if (killed) recoveriesKilled++
      await recover(root)
      expect([oldHash, newHash], `killed at ${at} and ${second}`).toContain(hashTree(root))
      if (!killed) break
    }
  }
  expect(recoveriesKilled).toBeGreaterThan(operations)
})

test('an init killed at any operation leaves no target or a complete one, and the next run cleans up', () => {
  const operations = countChanges((disk) => init(join(temporaryFolder(), 'app'), disk))
  const whole = treeHashOfInit()
  let cleaned = 0
  for (const half of [false, true]) {
    for (let at = 0; at < operations; at++) {
      const parent = temporaryFolder()
      const target = join(parent, 'app')
      expect(() => init(target, killingDisk(at, half))).toThrow(Kill)
      cleaned += readdirSync(parent).length
      expect(existsSync(target)).toBe(false)
      init(target, nodeDisk)
      expect(hashTree(target)).toBe(whole)
      expect(readdirSync(parent)).toEqual(['app'])
    }
  }
  expect(cleaned).toBeGreaterThan(operations)
})

function init(target: string, disk: Disk): void {
  const run = processes.start()
  try {
    createProject(target, newProjectPlan(target), { disk, processes: run })
  } finally {
    run.die()
  }
}

function treeHashOfInit(): string {
  const target = join(temporaryFolder(), 'app')
  init(target, nodeDisk)
  return hashTree(target)
}

/** Performs a complete run on a project. The simulated process of the run ends afterwards. */
async function apply(root: string, disk: Disk): Promise<void> {
  const run = processes.start()
  const work = async () => {
    await recoverProject(root, disk)
    applyPlan(samplePlan(root), disk)
  }
  await withProjectLock(root, work, { disk, processes: run, waitMs: 0 }).finally(run.die)
}

async function recover(root: string, disk: Disk = nodeDisk): Promise<Recovery> {
  const run = processes.start()
  const work = () => recoverProject(root, disk)
  return withProjectLock(root, work, { disk, processes: run, waitMs: 0 }).finally(run.die)
}

async function dies(run: Promise<unknown>): Promise<boolean> {
  try {
    await run
    return false
  } catch (error) {
    if (error instanceof Kill) return true
    throw error
  }
}

async function measure() {
  const root = temporaryProject()
  const oldHash = hashTree(root)
  let operations = 0
  await apply(
    root,
    watchedDisk(({ index }) => {
      operations = (index ?? operations - 1) + 1
    }),
  )
  const newHash = hashTree(root)
  expect(newHash).not.toBe(oldHash)
  return { oldHash, newHash, operations }
}

function countChanges(run: (disk: Disk) => void): number {
  let count = 0
  run(
    watchedDisk(({ index }) => {
      if (index !== undefined) count++
    }),
  )
  return count
}
