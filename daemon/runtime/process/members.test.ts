import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { membersOf } from './members.ts'
import { readStat } from './proc.ts'

test('one that was found is a member until it has ended, also when its mark can not be read any more', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true })
  try {
    const { pid = 0 } = child
    const found = { pid, startTime: readStat(pid)?.startTime ?? 0 }
    const family = { pid: -1, startTime: found.startTime, mark: 'STRATA_INSTANCE=nobody' }
    expect(await membersOf(family)).toEqual([])
    expect(await membersOf(family, [found])).toMatchObject([found])
    expect(await membersOf(family, [{ pid, startTime: found.startTime - 1 }])).toEqual([])
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await membersOf(family, [found])).toEqual([])
  } finally {
    child.kill('SIGKILL')
  }
})
