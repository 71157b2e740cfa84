import type { JSX } from 'preact'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Name } from '../../components/name.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { showToast } from '../../state/toasts.ts'
import { bytesText } from '../../text/format.ts'

/** The daemon checks the whole backup before it answers. */
const uploadMs = 6 * 60 * 60_000

/** Says what a restore will replace, and uploads the backup. */
export function UploadDialog({ file, onClose }: { file: File; onClose: () => void }): JSX.Element {
  async function upload(): Promise<void> {
    await api.upload('stageRestore', file, {
      timeoutMs: uploadMs,
      headers: { 'content-type': 'application/x-tar' },
    })
    reportChange('audit', 'infrastructure')
    showToast('The backup is staged. Restart the daemon to apply it.', { tone: 'good' })
  }

  return (
    <ConfirmDialog
      title="Restore a backup"
      effects={[
        <>
          <Name>{file.name}</Name> ({bytesText(file.size)}) is uploaded and checked whole: a damaged
          backup is refused.
        </>,
        'At its next start, the daemon replaces its database and its key with those of the backup: projects, environments, secrets, tokens and the audit log.',
        'If the backup has the data of apps, it replaces theirs. The daemon keeps what it replaces in its data folder.',
        'Nothing changes before that start. Another upload replaces this one.',
        'The daemon refuses this unless SERVICE_ALLOW_RESTORE=1 is set.',
      ]}
      verb="Upload and stage"
      tone="danger"
      typedName="restore"
      onConfirm={upload}
      onClose={onClose}
    />
  )
}
