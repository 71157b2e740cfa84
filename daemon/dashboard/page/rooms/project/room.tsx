import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Project } from '../../../../client/contract.ts'
import type { RoomProps } from '../../app/room-props.ts'
import { ErrorState, StaleNote } from '../../components/error-state.tsx'
import { Name } from '../../components/name.tsx'
import { Breadcrumbs, PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { api } from '../../state/api.ts'
import { queryValue, setQueryValue } from '../../state/router.ts'
import { useData } from '../../state/use-data.ts'
import { sourceOf } from '../../text/source.ts'
import { Branches } from './branches.tsx'
import { branchesOf } from './branches-of.ts'
import { Domains } from './domains.tsx'
import { Notifications } from './notifications.tsx'
import { ProjectSecrets } from './project-secrets.tsx'
import { Settings } from './settings.tsx'
import { Webhooks } from './webhooks.tsx'

type TabId = 'branches' | 'domains' | 'secrets' | 'webhooks' | 'notifications' | 'settings'

/** A project: its branches, domains, secrets, webhooks, notifications and settings. */
export function Room({ id }: RoomProps): JSX.Element {
  const project = useData(
    `project/${id}`,
    async (signal) => (await api.call('findProject', { params: { id } }, { signal })).body,
    ['projects'],
  )
  const rows = useData(
    `rows/${id}`,
    async (signal) =>
      (await api.call('listProjectEnvironments', { params: { id } }, { signal })).body,
    ['environments'],
  )
  const defaultBranch = project.data?.default_branch ?? null
  const branches = useMemo(
    () => branchesOf(rows.data ?? [], defaultBranch),
    [rows.data, defaultBranch],
  )
  if (!project.data) {
    return (
      <>
        <PageHeader title="Project" above={<Trail name="…" />} />
        {project.error === undefined ? (
          <Skeleton kind="rows" rows={5} />
        ) : (
          <ErrorState error={project.error} onRetry={project.reload} />
        )}
      </>
    )
  }
  const selected = tabOf(queryValue('tab'))
  const select = (tab: TabId) => setQueryValue('tab', tab === 'branches' ? undefined : tab)
  const names = branches.map(({ name }) => name)
  return (
    <>
      <Header project={project.data} />
      <StaleNote error={project.error ?? (rows.data && rows.error)} />
      <Tabs
        label="Parts of the project"
        selected={selected}
        onSelect={select}
        tabs={[
          { id: 'branches', text: 'Branches', count: branches.filter(({ live }) => live).length },
          { id: 'domains', text: 'Domains' },
          { id: 'secrets', text: 'Secrets' },
          { id: 'webhooks', text: 'Webhooks' },
          { id: 'notifications', text: 'Notifications' },
          { id: 'settings', text: 'Settings' },
        ]}
      >
        {selected === 'branches' && (
          <Branches project={project.data} branches={branches} rows={rows} />
        )}
        {selected === 'domains' && <Domains project={project.data} branches={names} />}
        {selected === 'secrets' && <ProjectSecrets project={project.data} branches={names} />}
        {selected === 'webhooks' && <Webhooks project={project.data} />}
        {selected === 'notifications' && <Notifications project={project.data} />}
        {selected === 'settings' && <Settings key={id} project={project.data} />}
      </Tabs>
    </>
  )
}

const otherTabs: readonly TabId[] = ['domains', 'secrets', 'webhooks', 'notifications', 'settings']

function tabOf(text: string | undefined): TabId {
  return otherTabs.find((tab) => tab === text) ?? 'branches'
}

function Header({ project }: { project: Project }): JSX.Element {
  return (
    <PageHeader title={project.name} above={<Trail name={project.name} />}>
      <Name mono>{sourceOf(project, location.origin)}</Name>
      {project.context !== '' && (
        <span>
          folder <Name mono>{project.context}</Name>
        </span>
      )}
    </PageHeader>
  )
}

function Trail({ name }: { name: string }): JSX.Element {
  return <Breadcrumbs items={[{ text: 'Projects', href: '/projects' }, { text: name }]} />
}
