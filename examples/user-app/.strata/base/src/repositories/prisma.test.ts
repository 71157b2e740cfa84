import { DriverAdapterError } from '@prisma/driver-adapter-utils'
import { expect, test } from 'vitest'
import { run } from './prisma.js'

type Cause = DriverAdapterError['cause']

const failing = (cause: Cause) => run(Promise.reject(new DriverAdapterError(cause)))

test.each<Cause>([
  { kind: 'ConnectionClosed' },
  { kind: 'SocketTimeout' },
  { kind: 'TransactionWriteConflict' },
])('run throws unavailable for a commit that fails with $kind', async (cause) => {
  const message = 'the store does not answer, try again'
  await expect(failing(cause)).rejects.toMatchObject({ kind: 'unavailable', message })
})

test('run throws unavailable for a commit on a full disk', async () => {
  const full: Cause = { kind: 'sqlite', extendedCode: 13, message: 'full', originalCode: '13' }
  const message = 'the store can not write, try again'
  await expect(failing(full)).rejects.toMatchObject({ kind: 'unavailable', message })
})

test('run rethrows any other error of the adapter', async () => {
  const cause: Cause = { kind: 'TableDoesNotExist', table: 'things' }
  await expect(failing(cause)).rejects.toMatchObject({ cause })
})
