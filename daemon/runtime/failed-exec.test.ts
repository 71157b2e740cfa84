import { expect, test } from 'vitest'
import { describeEarlyExit } from './exit-reason.ts'
import { failedExec } from './failed-exec.ts'

const line = '[FATAL tini (7)] exec gunicorn failed: No such file or directory'
const reason = `can't start "gunicorn": no such program in the image; check CMD, or deploy.start`

test('a program that an image lacks is named, with what to check', () => {
  expect(failedExec(line)).toBe(reason)
})

test('a program without permission has its reason', () => {
  expect(failedExec('[FATAL tini (7)] exec ./run.sh failed: Permission denied')).toBe(
    `can't start "./run.sh": permission denied`,
  )
})

test('another line is no failed start', () => {
  expect(failedExec('exec gunicorn failed')).toBeUndefined()
})

test('an app whose program is missing has the program in its reason', async () => {
  const exit = { name: 'strata-1', environmentId: 1, code: 127, signal: null }
  const logs = { tail: async () => [{ id: 0, ts: '', stream: 'stderr' as const, line }] }
  expect(await describeEarlyExit(exit, logs)).toBe(reason)
})
