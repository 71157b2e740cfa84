import { describe, expect, test } from 'vitest'
import { limitFiles, outOfMemoryMb, usageOf } from './group-files.ts'

const limits = { memoryMb: 128, cpus: 1.5, cpuWeight: 25, pids: 64 }

function valuesOf(version: 1 | 2, given: Parameters<typeof limitFiles>[2] = limits) {
  return Object.fromEntries(
    (['memory', 'cpu', 'pids'] as const).flatMap((controller) =>
      limitFiles(version, controller, given).map(({ name, value }) => [name, value]),
    ),
  )
}

describe('the limits of a control group', () => {
  test('of version 2 are bytes, a quota of the period, a weight and a number', () => {
    expect(valuesOf(2)).toEqual({
      'memory.max': '134217728',
      'memory.swap.max': '0',
      'memory.oom.group': '1',
      'cpu.max': '150000 100000',
      'cpu.weight': '25',
      'pids.max': '64',
    })
  })

  test('of version 1 use the same units, and shares of 1024', () => {
    expect(valuesOf(1)).toEqual({
      'memory.limit_in_bytes': '134217728',
      'memory.memsw.limit_in_bytes': '134217728',
      'cpu.cfs_period_us': '100000',
      'cpu.cfs_quota_us': '150000',
      'cpu.shares': '256',
      'pids.max': '64',
    })
  })

  test('without cpus set no quota', () => {
    const unlimited = { ...limits, cpus: null }
    expect(valuesOf(2, unlimited)['cpu.max']).toBe('max 100000')
    expect(valuesOf(1, unlimited)['cpu.cfs_quota_us']).toBe('-1')
  })
})

test.each([
  ['version 1', 'oom_kill_disable 0\nunder_oom 0\noom_kill 2\n'],
  ['version 2', 'low 0\nhigh 0\nmax 12\noom 2\noom_kill 2\noom_group_kill 1\n'],
])('a kill of the kernel in a memory group of %s is found, with the limit in MiB', (_, events) => {
  expect(outOfMemoryMb(events, '134217728\n')).toBe(128)
  expect(outOfMemoryMb(events.replace('oom_kill 2', 'oom_kill 0'), '134217728\n')).toBeNull()
})

test('a memory group without readable events has no kill', () => {
  expect(outOfMemoryMb('', '')).toBeNull()
})

test('the use of a group of version 2 omits inactive caches', () => {
  const files = {
    used: '1000\n',
    stat: 'anon 300\ninactive_file 400\nactive_file 300\n',
    cpuStat: 'usage_usec 2500000\nuser_usec 2000000\n',
    cpuUsage: undefined,
  }
  expect(usageOf(files)).toEqual({ memoryBytes: 600, cpuMs: 2500 })
})

test('the use of a group of version 1 includes its children', () => {
  const files = {
    used: '1000\n',
    stat: 'inactive_file 1\ntotal_inactive_file 400\n',
    cpuStat: undefined,
    cpuUsage: '2500000000\n',
  }
  expect(usageOf(files)).toEqual({ memoryBytes: 600, cpuMs: 2500 })
})

test('a use that the kernel does not count is null', () => {
  const files = { used: '', stat: '', cpuStat: undefined, cpuUsage: '' }
  expect(usageOf(files)).toEqual({ memoryBytes: null, cpuMs: null })
})
