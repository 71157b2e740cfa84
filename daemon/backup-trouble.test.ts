import { expect, test } from 'vitest'
import { createBackupTrouble } from './backup-trouble.ts'
import { DaemonError } from './errors.ts'

test('the first of consecutive failures is announced, and each backup that lacks entries', () => {
  const announced: string[] = []
  const logger = { warn: () => undefined, error: () => undefined }
  const announce = async (message: string) => void announced.push(message)
  const trouble = createBackupTrouble({ announce, logger })
  trouble.failed(new DaemonError('transient', 'the disk is full'))
  trouble.failed(new DaemonError('transient', 'the disk is full'))
  trouble.written({ fileName: 'a.tar', skipped: 0 })
  trouble.failed(new Error('/secret/path: EIO'))
  trouble.written({ fileName: 'b.tar', skipped: 2 })
  expect(announced).toEqual([
    'a scheduled backup failed: the disk is full',
    'a scheduled backup failed: the log of the daemon has the reason',
    'the backup b.tar lacks 2 entries: see its manifest',
  ])
})
