import { DaemonError } from '../../errors.ts'
import type { Clock, Database, KeyVault } from '../../ports.ts'
import { auditRow } from '../ground/audit-row.ts'
import { createFailpoints, type Failpoints } from '../ground/failpoints.ts'
import type { UseCases } from '../ground/use-cases.ts'

/**
 * Rotates the master key: writes the new key beside the old key, re-encrypts every value and records the key's id in
 * one transaction, then replaces the key file. After a crash at any point the next daemon uses the key recorded in the
 * database. Values sealed during a rotation are re-encrypted when they are written.
 */
export function createKeyUseCases({
  database,
  vault,
  clock,
  failpoints = createFailpoints(),
}: {
  database: Pick<Database, 'transaction'>
  vault: KeyVault
  clock: Pick<Clock, 'now'>
  failpoints?: Failpoints
}): UseCases['keys'] {
  let isRotating = false

  return {
    async rotate(actor) {
      if (isRotating) {
        throw new DaemonError('conflict', 'a key rotation is running already: wait until it ends')
      }
      isRotating = true
      try {
        const next = await vault.prepareNext()
        await failpoints.hit('next-key-kept')
        const values = await database.transaction(
          async (tx) => {
            const count = await tx.sealed.replace(next.reseal)
            await tx.sealed.recordKeyId(next.keyId)
            const detail = `${count} values re-encrypted with key ${next.keyId}`
            await tx.audit.write(auditRow('key_rotated', {}, detail, actor, clock.now()))
            await failpoints.hit('values-sealed')
            return count
          },
          { durable: true, committed: next.use },
        )
        await failpoints.hit('committed')
        await next.keep()
        await failpoints.hit('key-in-place')
        return { values }
      } finally {
        isRotating = false
      }
    },
  }
}
