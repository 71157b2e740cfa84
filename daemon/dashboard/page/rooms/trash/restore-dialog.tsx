import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Project, TrashEntry } from '../../../../client/contract.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Select } from '../../components/field.tsx'
import { Name, visible } from '../../components/name.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { navigate } from '../../state/router.ts'
import { showToast } from '../../state/toasts.ts'

/** Moves data back to its branch, or to the same branch of another project if its own was deleted. */
export function RestoreDialog({
  entry,
  projects,
  onClose,
}: {
  entry: TrashEntry
  projects: readonly Project[]
  onClose: () => void
}): JSX.Element {
  const own = projects.find(({ id }) => id === entry.project_id)
  const [target, setTarget] = useState(String(projects[0]?.id ?? ''))

  async function restore(): Promise<void> {
    if (!own && target === '') {
      throw new Error('register the repository again first: no project can take the data')
    }
    const body = own ? {} : { project_id: Number(target) }
    const { body: restored } = await api.call('restoreTrash', { params: { id: entry.id }, body })
    reportChange('trash', 'environments', 'audit', 'stats')
    showToast(`The data of ${entry.branch} is back. Deploy the branch to use it.`, {
      tone: 'good',
      action: { label: 'Open project', run: () => navigate(`/projects/${restored.project_id}`) },
    })
  }

  return (
    <ConfirmDialog
      title={`Restore the data of ${visible(entry.branch)}`}
      effects={[
        <>
          The data moves from the trash back to the branch <Name>{entry.branch}</Name>
          {own && (
            <>
              {' of '}
              <Name>{own.name}</Name>
            </>
          )}
          .
        </>,
        'Nothing is deployed: the next deploy of the branch finds the data.',
        'The daemon refuses this if the branch has an environment or newer data.',
      ]}
      verb="Restore"
      onConfirm={restore}
      onClose={onClose}
    >
      {!own && projects.length > 0 && (
        <Select
          label="Project that receives the data"
          value={target}
          options={projects.map(({ id, name }) => ({ value: String(id), text: visible(name) }))}
          onChange={setTarget}
          hint={`The project ${visible(entry.project)} was deleted.`}
        />
      )}
    </ConfirmDialog>
  )
}
