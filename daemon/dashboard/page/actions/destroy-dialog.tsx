import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Checkbox } from '../components/field.tsx'
import { refusalOf, roleNeed } from '../state/rights.ts'
import { durationWords } from '../text/format.ts'
import { visible } from '../text/visible.ts'
import type { ActionDialogProps } from './dialog-props.ts'
import { destroy } from './requests.ts'

/** Says what destroying an environment does, and destroys it. Asks for the branch's name before data goes for good. */
export function DestroyDialog({ environment, project, onClose }: ActionDialogProps): JSX.Element {
  const { id, branch, state, project_id: projectId, public_port: port } = environment
  const [isPurged, setPurged] = useState(false)
  const [hasSecretsRemoved, setSecretsRemoved] = useState(false)
  const keep = project ? durationWords(project.trash_keep) : 'a while'
  if (state === 'building') return <CancelDialog environment={environment} onClose={onClose} />
  const mayPurge = refusalOf(roleNeed('maintainer', projectId)) === undefined
  return (
    <ConfirmDialog
      title={`Destroy ${visible(branch.name)}?`}
      effects={[
        port === null
          ? 'The failed deploy leaves the list. Its history stays.'
          : 'The app stops, and its address answers no more. The history of the branch stays.',
        hasSecretsRemoved
          ? 'The secrets of the branch are removed for good.'
          : 'The secrets of the branch stay for its next deploy.',
        isPurged
          ? 'The data of the branch is removed now, older data in the trash too. Nothing brings it back.'
          : `Its data goes to the trash for ${keep}. A deploy of the branch within that time has it back.`,
      ]}
      verb="Destroy"
      tone="danger"
      typedName={isPurged || hasSecretsRemoved ? branch.name : undefined}
      onConfirm={() =>
        destroy(
          id,
          { projectId, name: branch.name },
          { purge_data: isPurged, purge_secrets: hasSecretsRemoved },
        )
      }
      onClose={onClose}
    >
      {mayPurge && (
        <>
          <Checkbox label="Remove its data for good" isTicked={isPurged} onChange={setPurged} />
          <Checkbox
            label="Remove its secrets for good"
            isTicked={hasSecretsRemoved}
            onChange={setSecretsRemoved}
          />
        </>
      )}
    </ConfirmDialog>
  )
}

/** Says what ending a deploy does, and ends it. */
function CancelDialog({
  environment: { id, branch, project_id: projectId },
  onClose,
}: Pick<ActionDialogProps, 'environment' | 'onClose'>): JSX.Element {
  return (
    <ConfirmDialog
      title={`Cancel the deploy of ${visible(branch.name)}?`}
      effects={[
        'The build stops.',
        'The version that serves the branch now goes on, if there is one.',
      ]}
      verb="Cancel the deploy"
      tone="danger"
      onConfirm={() => destroy(id, { projectId, name: branch.name }, {})}
      onClose={onClose}
    />
  )
}
