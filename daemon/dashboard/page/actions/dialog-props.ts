import type { Environment, Project } from '../../../client/contract.ts'

/** Props of the dialog of each action of an environment. */
export interface ActionDialogProps {
  readonly environment: Environment
  readonly project: Project | undefined
  readonly onClose: () => void
}
