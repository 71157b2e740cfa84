import type { JSX } from 'preact'
import type { Environment, Schedule } from '../../../../client/contract.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Name } from '../../components/name.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Section } from '../../components/section.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Badge } from '../../components/state-badge.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { api } from '../../state/api.ts'
import { useData } from '../../state/use-data.ts'
import { useReload } from '../../state/use-reload.ts'
import { outcomeLooks, processLooks, runReason, tookText } from './run-texts.ts'

/** The end of a run has no event. */
const reloadMs = 15_000

/** The processes of an environment and its schedules with their last runs. */
export function EnvironmentProcesses({ environment }: { environment: Environment }): JSX.Element {
  const { id, processes } = environment
  const { data, error, reload } = useData(
    `schedules/${id}`,
    async (signal) => (await api.call('listSchedules', { params: { id } }, { signal })).body,
    ['environments'],
  )
  useReload(reload, reloadMs)
  return (
    <>
      <Section
        title="Processes"
        note="The web process serves requests. The others run beside it, and sleep with it."
      >
        {processes.length === 0 ? (
          <EmptyState icon="play" title="No processes yet">
            They start when the build has succeeded.
          </EmptyState>
        ) : (
          <Table
            label="Processes"
            columns={processColumns(id)}
            rows={processes}
            keyOf={({ name }) => name}
          />
        )}
      </Section>
      <Section
        title="Schedules"
        note="Commands that run at certain times. A run needs no web process: a sleeping app sleeps on."
      >
        {data === undefined ? (
          error === undefined ? (
            <Skeleton kind="rows" rows={2} />
          ) : (
            <ErrorState error={error} onRetry={reload} />
          )
        ) : data.length === 0 ? (
          <EmptyState icon="clock" title="No schedules">
            Add <code>deploy.cron</code> to <code>strata.json</code> and deploy the branch.
          </EmptyState>
        ) : (
          <Table
            label="Schedules"
            columns={scheduleColumns(id)}
            rows={data}
            keyOf={({ name }) => name}
          />
        )}
      </Section>
    </>
  )
}

type Process = Environment['processes'][number]

function processColumns(id: number): readonly Column<Process>[] {
  return [
    { title: 'Name', kind: 'main', cell: ({ name }) => <Name>{name}</Name> },
    {
      title: 'State',
      cell: ({ state, reason }) => (
        <div class="run">
          <Badge {...processLooks[state]} />
          <Reason text={reason ?? undefined} />
        </div>
      ),
    },
    { title: 'Log', kind: 'actions', cell: ({ name }) => <LogLink id={id} name={name} /> },
  ]
}

function scheduleColumns(id: number): readonly Column<Schedule>[] {
  return [
    {
      title: 'Name',
      kind: 'main',
      cell: ({ name, command }) => (
        <div class="run">
          <Name>{name}</Name>
          <code class="run-command">
            <Name>{command.join(' ')}</Name>
          </code>
        </div>
      ),
    },
    {
      title: 'Schedule',
      cell: ({ schedule, timezone }) => (
        <div class="run">
          <code>
            <Name>{schedule}</Name>
          </code>
          <span class="note">
            <Name>{timezone}</Name>
          </span>
        </div>
      ),
    },
    {
      title: 'Next run',
      cell: ({ next_run_at: at }) =>
        at === null ? <span class="muted">Not on this branch</span> : <RelativeTime at={at} />,
    },
    { title: 'Last runs', cell: ({ runs }) => <LastRuns runs={runs} /> },
    { title: 'Log', kind: 'actions', cell: ({ name }) => <LogLink id={id} name={name} /> },
  ]
}

/** Runs of a schedule that are shown at once. */
const shownRuns = 2

function LastRuns({ runs }: Pick<Schedule, 'runs'>): JSX.Element {
  if (runs.length === 0) return <span class="muted">None yet</span>
  const earlier = runs.slice(shownRuns)
  return (
    <div class="runs">
      <RunList runs={runs.slice(0, shownRuns)} />
      {earlier.length > 0 && (
        <details>
          <summary>{earlier.length} earlier</summary>
          <RunList runs={earlier} />
        </details>
      )}
    </div>
  )
}

function RunList({ runs }: Pick<Schedule, 'runs'>): JSX.Element {
  return (
    <ul>
      {runs.map((run) => (
        <li key={run.due_at} class="run">
          <span class="run-line">
            <Badge {...outcomeLooks[run.outcome]} />
            <RelativeTime at={run.started_at ?? run.due_at} />
          </span>
          <Reason text={runReason(run)} />
          <Reason text={tookText(run)} />
        </li>
      ))}
    </ul>
  )
}

function Reason({ text }: { text: string | undefined }): JSX.Element | null {
  if (text === undefined) return null
  return (
    <span class="note">
      <Name>{text}</Name>
    </span>
  )
}

function LogLink({ id, name }: { id: number; name: string }): JSX.Element {
  return (
    <a class="button button-quiet" href={`/environments/${id}?process=${encodeURIComponent(name)}`}>
      Log<span class="visually-hidden"> of {name}</span>
    </a>
  )
}
