import type { JSX } from 'preact'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { visible } from '../text/visible.ts'
import type { ActionDialogProps } from './dialog-props.ts'
import { pause, wake } from './requests.ts'

/** Says what a pause does, and pauses the environment. */
export function PauseDialog({ environment, onClose }: ActionDialogProps): JSX.Element {
  const { id, branch } = environment
  return (
    <ConfirmDialog
      title={`Pause ${visible(branch.name)}?`}
      effects={[
        'The app stops and uses no memory. Its data and its address stay.',
        'The next request to its address wakes it. That request waits until the app is healthy.',
      ]}
      verb="Pause"
      onConfirm={() => pause(id, branch.name)}
      onClose={onClose}
    />
  )
}

/** Says what a wake does, and wakes the environment. */
export function WakeDialog({ environment, project, onClose }: ActionDialogProps): JSX.Element {
  const { id, branch } = environment
  const idle = project ? ` after ${project.pause_after} without a request` : ' when it is idle'
  return (
    <ConfirmDialog
      title={`Wake ${visible(branch.name)}?`}
      effects={[
        'The app starts with the commit that it ran before. This takes some seconds.',
        `It sleeps again${idle}.`,
      ]}
      verb="Wake"
      onConfirm={() => wake(id, branch.name)}
      onClose={onClose}
    />
  )
}
