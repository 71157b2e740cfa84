import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Environment, Project } from '../../../client/contract.ts'
import type { MenuItem } from '../components/menu.tsx'
import { roleNeed } from '../state/rights.ts'
import { DeployDialog } from './deploy-dialog.tsx'
import { DestroyDialog } from './destroy-dialog.tsx'
import type { ActionDialogProps } from './dialog-props.ts'
import { PauseDialog, WakeDialog } from './pause-and-wake-dialogs.tsx'
import { RollbackDialog } from './rollback-dialog.tsx'

export type ActionName = 'deploy' | 'rollback' | 'pause' | 'wake' | 'destroy'

export interface EnvironmentActions {
  /** Returns the entries of a menu: the actions that the state of the environment allows. */
  readonly itemsOf: (environment: Environment) => readonly MenuItem[]
  /** Opens the dialog that says what the action does. */
  readonly start: (action: ActionName, environment: Environment) => void
}

/**
 * Returns the actions of environments, which stay the same object, and the dialog to render. `projectOf` gives the
 * project of an environment, once it is loaded.
 */
export function useEnvironmentActions(
  projectOf: (id: number) => Project | undefined,
): readonly [EnvironmentActions, JSX.Element | undefined] {
  const [open, setOpen] = useState<{ action: ActionName; environment: Environment } | undefined>()
  const actions = useMemo<EnvironmentActions>(() => {
    const start = (action: ActionName, environment: Environment) => setOpen({ action, environment })
    return { start, itemsOf: (environment) => itemsOf(environment, start) }
  }, [])
  if (!open) return [actions, undefined]
  const props = {
    environment: open.environment,
    project: projectOf(open.environment.project_id),
    onClose: () => setOpen(undefined),
  }
  const Dialog = dialogs[open.action]
  return [actions, <Dialog key={open.environment.id} {...props} />]
}

const dialogs: Readonly<Record<ActionName, (props: ActionDialogProps) => JSX.Element>> = {
  deploy: DeployDialog,
  rollback: RollbackDialog,
  pause: PauseDialog,
  wake: WakeDialog,
  destroy: DestroyDialog,
}

function itemsOf(
  environment: Environment,
  start: EnvironmentActions['start'],
): readonly MenuItem[] {
  const { state } = environment
  const needs = roleNeed('developer', environment.project_id)
  const item = (action: ActionName, text: string, icon: NonNullable<MenuItem['icon']>) => ({
    text,
    icon,
    needs,
    onSelect: () => start(action, environment),
  })
  const isBuilding = state === 'building'
  const isAsleep = state === 'paused' || state === 'hibernating'
  return [
    item('deploy', 'Deploy', 'deploys'),
    item('rollback', 'Roll back…', 'rollback'),
    ...(state === 'running' ? [item('pause', 'Pause', 'pause')] : []),
    ...(isAsleep ? [item('wake', 'Wake', 'play')] : []),
    ...(state === 'destroyed'
      ? []
      : [
          {
            ...item('destroy', isBuilding ? 'Cancel the deploy…' : 'Destroy…', 'trash'),
            tone: 'danger' as const,
          },
        ]),
  ]
}
