import type { Archives, Clock, Store } from '../../ports.ts'
import { auditRow } from '../ground/audit-row.ts'
import type { UseCases } from '../ground/use-cases.ts'

/** Backups, and restores that the next start applies. */
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
      const detail = `a backup of ${new Date(createdAt).toISOString()}, applied at the next start`
      await store.audit.write(auditRow('restore_staged', {}, detail, actor, clock.now()))
    },
  }
}
