import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAppLimits } from './cgroups.ts'

/** Plain folders with the files of control groups: what is written is checked here, what the kernel does with it is not. */
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-cgroups-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = (path: string) => readFileSync(join(folder, path), 'utf8')

function write(path: string, text = ''): void {
  writeFileSync(join(folder, path), text)
}

test('an app gets its memory, and a bound on its processes, in the second version', () => {
  write('cgroup.controllers', 'cpu memory pids')
  write('cgroup.subtree_control')
  const limits = createAppLimits(folder)
  expect(limits.kind).toBe('cgroup-v2')
  expect(read('cgroup.subtree_control')).toBe('+memory +pids')
  mkdirSync(join(folder, 'strata-1'))
  for (const file of ['memory.max', 'memory.oom.group', 'pids.max']) write(`strata-1/${file}`)
  limits.enter('strata-1', 4711, 256)
  expect(read('strata-1/memory.max')).toBe(String(256 * 2 ** 20))
  expect(read('strata-1/memory.oom.group')).toBe('1')
  expect(read('strata-1/pids.max')).toBe('1024')
  expect(read('strata-1/cgroup.procs')).toBe('4711')
})

test('an app gets its memory in the first version', () => {
  write('memory.limit_in_bytes', '9223372036854771712')
  const limits = createAppLimits(folder)
  expect(limits.kind).toBe('cgroup-v1')
  mkdirSync(join(folder, 'strata-1'))
  write('strata-1/memory.limit_in_bytes')
  limits.enter('strata-1', 4711, 64)
  expect(read('strata-1/memory.limit_in_bytes')).toBe(String(64 * 2 ** 20))
})

test('without a group of its own the daemon sets no limits and touches nothing', () => {
  expect(createAppLimits(null).kind).toBe('none')
  expect(createAppLimits(join(folder, 'nowhere')).kind).toBe('none')
  const limits = createAppLimits(folder)
  expect(limits.kind).toBe('none')
  limits.enter('strata-1', process.pid, 64)
  limits.remove('strata-1')
})
