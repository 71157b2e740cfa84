import type { JSX } from 'preact'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { visible } from '../text/visible.ts'
import type { ActionDialogProps } from './dialog-props.ts'
import { deploy } from './requests.ts'

/** Says what a deploy of a branch does, and queues it. */
export function DeployDialog({ environment, onClose }: ActionDialogProps): JSX.Element {
  const { branch, project_id: projectId, public_port: port } = environment
  return (
    <ConfirmDialog
      title={`Deploy ${visible(branch.name)}?`}
      effects={deployEffects(port !== null)}
      verb="Deploy"
      onConfirm={() => deploy({ projectId, name: branch.name })}
      onClose={onClose}
    />
  )
}

/** Returns the effects of a deploy, one sentence each. */
export function deployEffects(isLive: boolean): readonly string[] {
  return [
    'The daemon fetches the newest commit of the branch, builds it and starts it.',
    isLive
      ? 'The current version serves until the new one is healthy. If the deploy fails, it keeps serving.'
      : 'The branch gets an address once the app is healthy.',
  ]
}
