import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { findAppProcesses } from './app-processes.ts'
import { readStat } from './proc.ts'

test('findAppProcesses keeps returning a known process whose mark is unreadable until the process ends', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true })
  try {
    const { pid = 0 } = child
    const found = { pid, startTime: readStat(pid)?.startTime ?? 0 }
    const identity = {
      pid: -1,
      startTime: found.startTime,
      mark: 'STRATA_INSTANCE=nobody',
      group: 'none',
    }
    expect(await findAppProcesses(identity)).toEqual([])
    expect(await findAppProcesses(identity, [found])).toMatchObject([found])
    expect(await findAppProcesses(identity, [{ pid, startTime: found.startTime - 1 }])).toEqual([])
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await findAppProcesses(identity, [found])).toEqual([])
  } finally {
    child.kill('SIGKILL')
  }
})
