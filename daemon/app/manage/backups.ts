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
    async create(options, actor) {
      const archive = await archives.create(options)
      const detail = `${archive.fileName}, ${options.withData ? 'with' : 'without'} data of apps`
      await store.audit.write(auditRow('backup_created', {}, detail, actor, clock.now()))
      return archive
    },

    async stageRestore(body, announcedBytes, actor) {
      const { createdAt, hasData } = await archives.stage(body, announcedBytes)
      const time = new Date(createdAt).toISOString()
      const detail = `the next start restores the backup of ${time}, ${hasData ? 'with' : 'without'} data of apps`
      await store.audit.write(auditRow('restore_staged', {}, detail, actor, clock.now()))
    },
  }
}
