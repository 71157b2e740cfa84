import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Project } from '../../../../client/contract.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Checkbox } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { roleNeed } from '../../state/rights.ts'
import { navigate } from '../../state/router.ts'
import { showToast } from '../../state/toasts.ts'
import { durationWords } from '../../text/format.ts'
import { visible } from '../../text/visible.ts'

/** Deletes the project after its name has been typed. */
export function DangerZone({ project }: { project: Project }): JSX.Element {
  const { id, name } = project
  const [isOpen, setOpen] = useState(false)
  const [isPurged, setPurged] = useState(false)
  return (
    <Section
      kind="danger"
      title="Delete this project"
      note="Its environments are destroyed, and its secrets and settings are removed. The repository stays."
      actions={
        <Button tone="danger" needs={roleNeed('maintainer', id)} onClick={() => setOpen(true)}>
          Delete the project
        </Button>
      }
    >
      {isOpen && (
        <ConfirmDialog
          title={`Delete ${visible(name)}?`}
          effects={[
            'All of its apps stop, and their addresses answer no more.',
            'Its secrets, its settings and its build cache are removed for good.',
            isPurged
              ? 'The data of all branches is removed now, data in the trash too. Nothing brings it back.'
              : `The data of its branches stays in the trash for ${durationWords(project.trash_keep)}.`,
          ]}
          verb="Delete the project"
          tone="danger"
          typedName={name}
          onConfirm={async () => {
            const query = isPurged ? { purge_data: true } : {}
            await api.call('removeProject', { params: { id }, query }, { timeoutMs: removalMs })
            showToast(`${name} is deleted.`, { tone: 'good' })
            navigate('/projects')
            reportChange('projects', 'environments', 'trash', 'stats', 'audit')
          }}
          onClose={() => setOpen(false)}
        >
          <Checkbox
            label="Remove the data of its branches for good"
            isTicked={isPurged}
            onChange={setPurged}
          />
        </ConfirmDialog>
      )}
    </Section>
  )
}

/** All apps of the project stop before the daemon answers. */
const removalMs = 120_000
