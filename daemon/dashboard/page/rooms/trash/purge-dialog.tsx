import type { JSX } from 'preact'
import type { TrashEntry } from '../../../../client/contract.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Name, visible } from '../../components/name.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { showToast } from '../../state/toasts.ts'
import { bytesText } from '../../text/format.ts'

/** Removes data from the trash for good, after the name of the branch was typed. */
export function PurgeDialog({
  entry,
  onClose,
}: {
  entry: TrashEntry
  onClose: () => void
}): JSX.Element {
  const { branch, project, size_bytes: bytes } = entry

  async function purge(): Promise<void> {
    await api.call('purgeTrash', { params: { id: entry.id } })
    reportChange('trash', 'audit', 'stats')
    showToast(`The data of ${branch} was deleted.`, { tone: 'good' })
  }

  return (
    <ConfirmDialog
      title={`Delete the data of ${visible(branch)}`}
      effects={[
        <>
          Databases and files of the branch <Name>{branch}</Name> of <Name>{project}</Name> are
          deleted
          {bytes !== null && `: ${bytesText(bytes)}`}.
        </>,
        'Nobody can bring them back, unless a backup has them.',
      ]}
      verb="Delete for good"
      tone="danger"
      typedName={branch}
      onConfirm={purge}
      onClose={onClose}
    />
  )
}
