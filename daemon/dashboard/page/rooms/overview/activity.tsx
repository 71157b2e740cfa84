import type { ComponentChildren, JSX } from 'preact'
import { Icon, type IconName } from '../../components/icon.tsx'
import { Name } from '../../components/name.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Badge } from '../../components/state-badge.tsx'
import { api } from '../../state/api.ts'
import { useData } from '../../state/use-data.ts'
import { asSentence } from '../../text/error-text.ts'

const shownCount = 3

/** Two cards of a constant height: the deploys in work, and the last failures. */
export function Activity({
  nameOf,
}: {
  nameOf: (projectId: number | null) => string
}): JSX.Element {
  return (
    <div class="activity">
      <Builds nameOf={nameOf} />
      <Failures nameOf={nameOf} />
    </div>
  )
}

function Builds({ nameOf }: { nameOf: (projectId: number | null) => string }): JSX.Element {
  const { data } = useData(
    'queue',
    async (signal) => (await api.call('listQueue', {}, { signal })).body,
    ['queue', 'environments'],
  )
  const shown = [...(data ?? [])]
    .sort((one, other) => Number(other.state === 'running') - Number(one.state === 'running'))
    .slice(0, shownCount)
  const more = (data?.length ?? 0) - shown.length
  return (
    <ActivityCard
      title="Building now"
      icon="deploys"
      empty={data ? 'Nothing is building.' : ''}
      more={more > 0 && <a href="/deploys">{more} more in the queue</a>}
    >
      {shown.map((entry) => (
        <li key={entry.id}>
          <Badge
            tone={entry.state === 'running' ? 'accent' : 'rest'}
            text={entry.state === 'running' ? 'Building' : 'Waiting'}
          />
          <a href={`/projects/${entry.project_id}`} class="activity-name">
            <Name>{`${nameOf(entry.project_id)} / ${entry.branch}`}</Name>
          </a>
          <span class="note">
            <RelativeTime at={entry.requested_at} />
          </span>
        </li>
      ))}
    </ActivityCard>
  )
}

function Failures({ nameOf }: { nameOf: (projectId: number | null) => string }): JSX.Element {
  const { data } = useData(
    'failures',
    async (signal) => {
      const query = { kind: 'build_failed', limit: shownCount } as const
      return (await api.call('listAudit', { query }, { signal })).body
    },
    ['audit', 'environments'],
  )
  return (
    <ActivityCard
      title="Failed last"
      icon="warning"
      empty={data ? 'No deploy has failed.' : ''}
      more={undefined}
    >
      {(data ?? []).map((entry, at) => (
        <li key={entry.id}>
          <Badge tone="bad" text="Failed" mark="m4.5 4.5 7 7M11.5 4.5l-7 7" />
          <a
            class="activity-name"
            href={
              entry.environment_id === null
                ? `/projects/${entry.project_id}`
                : `/environments/${entry.environment_id}`
            }
            title={entry.detail}
          >
            <Name>{`${nameOf(entry.project_id)} / ${entry.branch ?? ''}`}</Name>
          </a>
          <span class="note">
            <RelativeTime at={entry.occurred_at} />
          </span>
          {at === 0 && (
            <p class="note activity-reason">
              <Name>{asSentence(entry.detail)}</Name>
            </p>
          )}
        </li>
      ))}
    </ActivityCard>
  )
}

function ActivityCard({
  title,
  icon,
  empty,
  more,
  children,
}: {
  title: string
  icon: IconName
  empty: string
  more: ComponentChildren
  children: readonly JSX.Element[]
}): JSX.Element {
  return (
    <section class="card activity-card" aria-label={title}>
      <h2>
        <Icon name={icon} /> {title}
      </h2>
      {children.length === 0 ? <p class="note">{empty}</p> : <ul>{children}</ul>}
      {more && <p class="note">{more}</p>}
    </section>
  )
}
