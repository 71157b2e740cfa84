import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { applyPlan } from '../../../src/generator/write/apply-plan.ts'
import { createProject } from '../../../src/generator/write/create-project.ts'
import { withProjectLock } from '../../../src/generator/write/project-lock.ts'
import { recoverProject } from '../../../src/generator/write/recover-project.ts'
import { newProjectPlan, put, samplePlan, textAt } from '../../support/generator/write/sample.ts'
import {
  temporaryFolder,
  temporaryProject,
} from '../../support/generator/write/temporary-folder.ts'
import { hashTree } from '../../support/tree.ts'

test('a process killed by SIGKILL leaves the old project or the new one', async () => {
  const oldHash = hashTree(temporaryProject())
  const done = temporaryProject()
  await withProjectLock(done, () => applyPlan(samplePlan(done)))
  const newHash = hashTree(done)
  const hashes = new Set<string>()
  for (const at of [1, 2, 4, 7, 10, 13, 16, 20]) {
    const root = temporaryProject()
    const child = start('apply', root, at)
    expect(await child.ending, `at ${at}`).toBe('SIGKILL')
    await withProjectLock(root, () => recoverProject(root), { waitMs: 0 })
    expect([oldHash, newHash], `at ${at}`).toContain(hashTree(root))
    hashes.add(hashTree(root))
  }
  expect(hashes.size).toBe(2)
})

test('an init killed by SIGKILL leaves no target, and the next init cleans up', async () => {
  const parent = temporaryFolder()
  const target = join(parent, 'app')
  expect(await start('init', target, 3).ending).toBe('SIGKILL')
  expect(existsSync(target)).toBe(false)
  expect(readdirSync(parent)).toHaveLength(1)
  createProject(target, newProjectPlan(target))
  expect(readdirSync(parent)).toEqual(['app'])
})

test('two concurrent processes change a project one after the other', async () => {
  const root = temporaryProject()
  put(root, 'counter.txt', '0\n')
  const children = [start('count', root, 25), start('count', root, 25)]
  expect(await Promise.all(children.map((child) => child.ending))).toEqual([0, 0])
  expect(textAt(root, 'counter.txt')).toBe('50\n')
  expect(readdirSync(join(root, '.strata'))).toEqual(['base'])
})

test('processes that find a stale lock at the same time take it over one by one', async () => {
  const root = temporaryProject()
  const dead = start('hold', root)
  await dead.line()
  const lock = textAt(root, '.strata/lock')
  dead.kill('SIGKILL')
  await dead.ending
  const children = [start('rounds', root), start('rounds', root), start('rounds', root)]
  await Promise.all(children.map((child) => child.line()))
  for (let round = 0; round < 40; round++) {
    put(root, '.strata/lock', lock)
    const answers = children.map((child) => child.line())
    for (const child of children) child.send('go')
    expect(await Promise.all(answers)).toEqual(['done', 'done', 'done'])
    expect(readdirSync(join(root, '.strata'))).toEqual(['base'])
  }
  for (const child of children) child.close()
  expect(await Promise.all(children.map((child) => child.ending))).toEqual([0, 0, 0])
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s releases the lock', async (signal) => {
  const root = temporaryProject()
  const before = hashTree(root)
  const child = start('hold', root)
  expect(await child.line()).toBe('locked')
  expect(hashTree(root)).not.toBe(before)
  child.kill(signal)
  expect(await child.ending).toBe(signal)
  expect(hashTree(root)).toBe(before)
})

interface Child {
  /** Reads the next line of output; undefined if the process ends first. */
  line(): Promise<string | undefined>
  send(line: string): void
  close(): void
  kill(signal: NodeJS.Signals): void
  /** The signal that ended the process, or its exit code. */
  readonly ending: Promise<string | number | null>
}

function start(what: string, root: string, number = 0): Child {
  const script = join(import.meta.dirname, '../../support/generator/write/child.ts')
  const argv = ['--import', 'tsx', script, what, root, String(number)]
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return {
    line: async () => (await lines.next()).value,
    send: (line) => child.stdin.write(`${line}\n`),
    close: () => child.stdin.end(),
    kill: (signal) => child.kill(signal),
    ending: once(child, 'close').then(([code, signal]) => signal ?? code),
  }
}
