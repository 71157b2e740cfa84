import type { JSX } from 'preact'
import { ErrorState } from '../../components/error-state.tsx'
import { Breadcrumbs, PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { queryValue, setQueryValue } from '../../state/router.ts'
import { useData } from '../../state/use-data.ts'
import { EnvironmentButtons } from './actions.tsx'
import { EnvironmentAudit } from './audit.tsx'
import { EnvironmentFacts } from './facts.tsx'
import { BuildOutput, LiveLog } from './logs.tsx'
import { EnvironmentNotes } from './notes.tsx'
import { EnvironmentProcesses } from './processes.tsx'
import { type EnvironmentData, readEnvironment } from './read-environment.ts'
import { EnvironmentUsage } from './usage.tsx'

/** One environment: its state, its log, its build output, its audit and its actions. */
export function Room({ id }: { id: number }): JSX.Element {
  const { data, error, reload } = useData(
    `environment/${id}`,
    (signal) => readEnvironment(id, signal),
    ['environments'],
  )
  if (data) return <ShownEnvironment data={data} />
  return (
    <>
      <PageHeader title="Environment" />
      {error === undefined ? (
        <Skeleton kind="rows" rows={4} />
      ) : (
        <ErrorState error={error} onRetry={reload} />
      )}
    </>
  )
}

const tabs = [
  { id: 'log', text: 'Log' },
  { id: 'build', text: 'Build output' },
  { id: 'usage', text: 'Usage' },
  { id: 'processes', text: 'Processes' },
  { id: 'audit', text: 'Audit' },
] as const

function ShownEnvironment({ data }: { data: EnvironmentData }): JSX.Element {
  const { environment, project, schedules } = data
  const { branch, state } = environment
  const asked = queryValue('tab')
  const selected = tabs.find((tab) => tab.id === asked)?.id ?? 'log'
  return (
    <>
      <PageHeader
        title={branch.name}
        above={
          <Breadcrumbs
            items={[{ text: project.name, href: `/projects/${project.id}` }, { text: branch.name }]}
          />
        }
        actions={<EnvironmentButtons data={data} />}
      >
        <StateBadge state={state} />
        <EnvironmentFacts environment={environment} />
      </PageHeader>
      <EnvironmentNotes data={data} />
      <Tabs
        label="Environment"
        tabs={tabs}
        selected={selected}
        onSelect={(tab) => setQueryValue('tab', tab === 'log' ? undefined : tab)}
      >
        {selected === 'log' && <LiveLog environment={environment} schedules={schedules} />}
        {selected === 'build' && <BuildOutput environment={environment} />}
        {selected === 'usage' && <EnvironmentUsage environment={environment} />}
        {selected === 'processes' && <EnvironmentProcesses environment={environment} />}
        {selected === 'audit' && <EnvironmentAudit id={environment.id} />}
      </Tabs>
    </>
  )
}
