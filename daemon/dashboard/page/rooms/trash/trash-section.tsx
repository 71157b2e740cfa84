import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Project, TrashEntry } from '../../../../client/contract.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Section } from '../../components/section.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { api } from '../../state/api.ts'
import { useData } from '../../state/use-data.ts'
import { bytesText, durationWords } from '../../text/format.ts'
import { PurgeDialog } from './purge-dialog.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import { TrashTable } from './trash-table.tsx'

export interface TrashData {
  readonly entries: readonly TrashEntry[]
  readonly projects: readonly Project[]
}

interface Chosen {
  readonly action: 'restore' | 'purge'
  readonly entry: TrashEntry
}

export function TrashSection(): JSX.Element {
  const { data, error, reload } = useData('trash', read, ['trash', 'projects'])
  const [chosen, setChosen] = useState<Chosen | undefined>(undefined)
  const close = () => setChosen(undefined)
  return (
    <Section title="Trash" note={noteOf(data)}>
      {data ? (
        <Entries data={data} onAction={(action, entry) => setChosen({ action, entry })} />
      ) : error === undefined ? (
        <Skeleton kind="rows" rows={3} />
      ) : (
        <ErrorState error={error} onRetry={reload} />
      )}
      {chosen?.action === 'restore' && (
        <RestoreDialog entry={chosen.entry} projects={data?.projects ?? []} onClose={close} />
      )}
      {chosen?.action === 'purge' && <PurgeDialog entry={chosen.entry} onClose={close} />}
    </Section>
  )
}

function Entries({
  data: { entries, projects },
  onAction,
}: {
  data: TrashData
  onAction: (action: Chosen['action'], entry: TrashEntry) => void
}): JSX.Element {
  if (entries.length > 0) {
    return <TrashTable entries={entries} projects={projects} onAction={onAction} />
  }
  return (
    <EmptyState icon="trash" title="The trash is empty">
      <p>
        When a branch is destroyed, its data waits here. Deploying the branch again brings it back
        by itself.
      </p>
    </EmptyState>
  )
}

function noteOf(data: TrashData | undefined): string {
  const base = 'The data of destroyed branches. A deploy of the branch has it back.'
  if (!data || data.entries.length === 0) return base
  const bytes = data.entries.reduce((sum, { size_bytes }) => sum + (size_bytes ?? 0), 0)
  const [project] = data.projects
  const kept = project ? ` It is kept for ${durationWords(project.trash_keep)}.` : ''
  return `${base}${kept} It takes ${bytesText(bytes)}.`
}

async function read(signal: AbortSignal): Promise<TrashData> {
  const [entries, projects] = await Promise.all([
    api.call('listTrash', {}, { signal }),
    api.call('listProjects', {}, { signal }),
  ])
  return { entries: entries.body, projects: projects.body }
}
