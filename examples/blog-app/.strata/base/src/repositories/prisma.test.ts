import { DriverAdapterError } from '@prisma/driver-adapter-utils'
import { expect, test } from 'vitest'
import { run } from './prisma.js'

type Cause = DriverAdapterError['cause']

const failing = (cause: Cause) => run(Promise.reject(new DriverAdapterError(cause)))

test.each<Cause>([
  { kind: 'ConnectionClosed' },
  { kind: 'SocketTimeout' },
  { kind: 'TransactionWriteConflict' },
])('a commit that fails by $kind is an outage', async (cause) => {
  const message = 'the store does not answer, try again'
  await expect(failing(cause)).rejects.toMatchObject({ kind: 'unavailable', message })
})

test('a commit on a full disk is an outage', async () => {
  const full: Cause = { kind: 'sqlite', extendedCode: 13, message: 'full', originalCode: '13' }
  const message = 'the store can not write, try again'
  await expect(failing(full)).rejects.toMatchObject({ kind: 'unavailable', message })
})

test('any other is a fault, and comes as it is', async () => {
  const cause: Cause = { kind: 'TableDoesNotExist', table: 'things' }
  await expect(failing(cause)).rejects.toMatchObject({ cause })
})
