import { expect, test } from 'vitest'
import { limitFiles } from './group-files.ts'

test.each([
  [1, 'cpu.shares', '1024', '256'],
  [2, 'cpu.weight', '100', '25'],
] as const)(
  'control groups of version %i give a build a quarter of the processor share of an app',
  (version, name, app, build) => {
    const limits = { memoryMb: 256, cpus: null, pids: 100 }
    const settingOf = (cpuWeight?: number) =>
      limitFiles(version, 'cpu', { ...limits, ...(cpuWeight && { cpuWeight }) }).find(
        (file) => file.name === name,
      )?.value
    expect([settingOf(), settingOf(25)]).toEqual([app, build])
  },
)
