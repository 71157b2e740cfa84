import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Project } from '../../../../client/contract.ts'
import { useEnvironmentActions } from '../../actions/environment-actions.tsx'
import { ErrorState, StaleNote } from '../../components/error-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useLiveEnvironments, useProjects } from '../../state/lists.ts'
import { useUsages } from '../../state/usages.ts'
import { Activity } from './activity.tsx'
import { Figures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import { LiveEnvironments } from './live-environments.tsx'

/** The state of everything: figures, builds, failures and all live environments. */
export function Room(): JSX.Element {
  const projects = useProjects()
  const environments = useLiveEnvironments()
  useUsages()
  const byId = useMemo(
    () => new Map((projects.data ?? []).map((project) => [project.id, project])),
    [projects.data],
  )
  const [isRegistering, setRegistering] = useState(false)
  const [actions, dialog] = useEnvironmentActions((id) => byId.get(id))
  const error = environments.error ?? projects.error
  const isKnown = projects.data !== undefined && environments.data !== undefined
  return (
    <>
      <PageHeader title="Overview" />
      {isKnown && projects.data.length === 0 ? (
        <FirstSteps isRegistering={isRegistering} onRegister={setRegistering} />
      ) : isKnown ? (
        <>
          <StaleNote error={error} />
          <Figures environments={environments.data} />
          <Activity nameOf={nameIn(byId)} />
          <LiveEnvironments environments={environments.data} projects={byId} actions={actions} />
        </>
      ) : error === undefined ? (
        <Skeleton kind="rows" rows={6} />
      ) : (
        <ErrorState
          error={error}
          onRetry={() => {
            projects.reload()
            environments.reload()
          }}
        />
      )}
      {dialog}
    </>
  )
}

function nameIn(projects: ReadonlyMap<number, Project>): (id: number | null) => string {
  return (id) => (id === null ? 'the daemon' : (projects.get(id)?.name ?? `project ${id}`))
}
