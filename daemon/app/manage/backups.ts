import type { Archives, Clock, Store } from '../../ports.ts'
import { auditRow } from '../ground/audit-row.ts'
import type { UseCases } from '../ground/use-cases.ts'

/** Use cases of backups. The next start applies a staged restore. */
export function createBackupUseCases({
  archives,
  store,
  clock,
}: {
  archives: Archives
  store: Pick<Store, 'audit'>
  clock: Pick<Clock, 'now'>
}): UseCases['backups'] {
  return {
    async create(actor) {
      const archive = await archives.create()
      await store.audit.write(auditRow('backup_created', {}, archive.fileName, actor, clock.now()))
      return archive
    },

    async stageRestore(body, actor) {
      const { createdAt } = await archives.stage(body)
      const detail = `the next start restores the backup of ${new Date(createdAt).toISOString()}`
      await store.audit.write(auditRow('restore_staged', {}, detail, actor, clock.now()))
    },
  }
}
