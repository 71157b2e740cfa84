import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAppLimits } from './cgroups.ts'

/**
 * Ordinary folders with the file names of control groups. The tests check the written values, not the kernel's
 * behavior.
 */
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-cgroups-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = (path: string) => readFileSync(join(folder, path), 'utf8')

function write(path: string, text = ''): void {
  writeFileSync(join(folder, path), text)
}

test('apps get a memory limit and a process limit by control groups v2', () => {
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

test('apps get a memory limit by control groups v1', () => {
  write('memory.limit_in_bytes', '9223372036854771712')
  const limits = createAppLimits(folder)
  expect(limits.kind).toBe('cgroup-v1')
  mkdirSync(join(folder, 'strata-1'))
  write('strata-1/memory.limit_in_bytes')
  limits.enter('strata-1', 4711, 64)
  expect(read('strata-1/memory.limit_in_bytes')).toBe(String(64 * 2 ** 20))
})

test('createAppLimits sets no limits without a usable control group', () => {
  expect(createAppLimits(null).kind).toBe('none')
  expect(createAppLimits(join(folder, 'nowhere')).kind).toBe('none')
  const limits = createAppLimits(folder)
  expect(limits.kind).toBe('none')
  limits.enter('strata-1', process.pid, 64)
  limits.remove('strata-1')
})
