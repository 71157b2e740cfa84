import { DaemonError } from '../../errors.ts'
import type { Clock, Database, KeyVault } from '../../ports.ts'
import { auditRow } from '../ground/audit-row.ts'
import type { UseCases } from '../ground/use-cases.ts'

/**
 * Changing the master key. The new one is on the disk beside the old before anything else; then one transaction seals
 * every value anew and writes down the id of the key; then the new file takes the place of the old. Cut off anywhere,
 * the next start takes the key that the database names. What is sealed meanwhile is brought under the new key as it is
 * written. `reached` is told of each step by name.
 */
export function createKeyUseCases({
  database,
  vault,
  clock,
  reached = () => {},
}: {
  database: Pick<Database, 'transaction'>
  vault: KeyVault
  clock: Pick<Clock, 'now'>
  reached?: (step: string) => void | Promise<void>
}): UseCases['keys'] {
  let isRotating = false

  return {
    async rotate(actor) {
      if (isRotating) {
        throw new DaemonError('conflict', 'the key is being rotated already: wait for its end')
      }
      isRotating = true
      try {
        const next = await vault.prepareNext()
        await reached('next-key-kept')
        const values = await database.transaction(
          async (tx) => {
            const count = await tx.sealed.replace(next.reseal)
            await tx.sealed.bookKey(next.keyId)
            const detail = `${count} values are under key ${next.keyId}`
            await tx.audit.write(auditRow('key_rotated', {}, detail, actor, clock.now()))
            await reached('values-sealed')
            return count
          },
          { durable: true, committed: next.use },
        )
        await reached('committed')
        await next.keep()
        await reached('key-in-place')
        return { values }
      } finally {
        isRotating = false
      }
    },
  }
}
