import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { isAlive, listProcesses, parseStat, readStat } from './proc.ts'

test('parseStat accepts any program name', () => {
  const rest = '1 70 71 0 -1 4194304 101 0 0 0 0 0 0 0 20 0 1 0 2874749 3133440 383'
  for (const name of ['cat', 'a b', ') Z 1', '((', ') (\n']) {
    expect(parseStat(`42 (${name}) S ${rest}\n`)).toEqual({
      pid: 42,
      state: 'S',
      group: 70,
      session: 71,
      startTime: 2874749,
    })
  }
  expect(parseStat('')).toBeUndefined()
  expect(parseStat('42 (cat')).toBeUndefined()
})

test('isAlive and listProcesses distinguish a process from another one with the same pid', async () => {
  const self = readStat(process.pid)
  if (!self) throw new Error('this process is not in /proc')
  expect(isAlive(self)).toBe(true)
  expect(isAlive({ ...self, startTime: self.startTime + 1 })).toBe(false)
  expect((await listProcesses(self.startTime)).some(({ pid }) => pid === self.pid)).toBe(true)
  expect((await listProcesses(self.startTime + 1)).some(({ pid }) => pid === self.pid)).toBe(false)
})

test('isAlive and readStat do not find an ended process', async () => {
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
  const stat = readStat(child.pid ?? 0)
  if (!stat) throw new Error('the child is not in /proc')
  await once(child, 'exit')
  expect(isAlive(stat)).toBe(false)
  expect(readStat(stat.pid)).toBeUndefined()
})
