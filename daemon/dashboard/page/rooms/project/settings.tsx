import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Project } from '../../../../client/contract.ts'
import { undo } from '../../actions/requests.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-state.tsx'
import { Checkbox, Field } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { roleNeed } from '../../state/rights.ts'
import { showToast } from '../../state/toasts.ts'
import { DangerZone } from './danger-zone.tsx'
import { GitToken } from './git-token.tsx'
import { changesOf, type Draft, draftOf, faultsOf, type SettingChanges } from './settings-draft.ts'

/** The settings of a project, its git token and the danger zone. */
export function Settings({ project }: { project: Project }): JSX.Element {
  return (
    <>
      <Limits project={project} />
      {project.repo_url !== null && <GitToken project={project} />}
      <DangerZone project={project} />
    </>
  )
}

function Limits({ project }: { project: Project }): JSX.Element {
  const { id } = project
  const [draft, setDraft] = useState<Draft>(() => draftOf(project))
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const faults = faultsOf(draft)
  const changes = changesOf(draft, project)
  const isChanged = Object.keys(changes).length > 0
  const isReady = isChanged && Object.keys(faults).length === 0
  const edit = (change: Partial<Draft>) => setDraft({ ...draft, ...change })

  async function save(): Promise<void> {
    if (!isReady || isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      const before = previousOf(project, changes)
      await change(id, changes)
      showToast('The settings are saved.', {
        tone: 'good',
        action: undo(async () => {
          setDraft(draftOf(await change(id, before)))
        }),
      })
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }

  return (
    <Section kind="card" title="Life of environments">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Field
          label="Pause after"
          value={draft.pauseAfter}
          onInput={(pauseAfter) => edit({ pauseAfter })}
          error={faults.pauseAfter}
          hint="An app without a request for this time sleeps. The next request wakes it. Examples: 30s, 30m, 2h, 7d."
          isMono
        />
        <div class="field">
          <Field
            label="Destroy after"
            value={draft.isKept ? '' : draft.destroyAfter}
            onInput={(destroyAfter) => edit({ destroyAfter, isKept: false })}
            placeholder={draft.isKept ? 'never' : '7d'}
            error={faults.destroyAfter}
            hint="A branch without a request for this time is destroyed. Its data goes to the trash. The default branch always stays."
            isMono
          />
          <Checkbox
            label="Never destroy idle branches"
            isTicked={draft.isKept}
            onChange={(isKept) => edit({ isKept })}
          />
        </div>
        <Field
          label="Maximum of live branches"
          value={draft.maxEnvironments}
          onInput={(maxEnvironments) => edit({ maxEnvironments })}
          error={faults.maxEnvironments}
          placeholder="no limit"
          hint="A deploy of one more branch is refused."
          isMono
        />
        <Field
          label="Branches that a push deploys"
          value={draft.branches}
          onInput={(branches) => edit({ branches })}
          placeholder="all branches"
          hint="One pattern a line, such as main or feature/*."
          rows={3}
          isMono
        />
        <Field
          label="Branches that a push ignores"
          value={draft.ignore}
          onInput={(ignore) => edit({ ignore })}
          placeholder="none"
          hint="One pattern a line, such as dependabot/**."
          rows={3}
          isMono
        />
        {error !== undefined && <ErrorNote error={error} />}
        <div class="row">
          <Button
            tone="primary"
            isSubmit
            isBusy={isBusy}
            isDisabled={!isReady}
            needs={roleNeed('maintainer', id)}
          >
            Save
          </Button>
          {isChanged && <Button onClick={() => setDraft(draftOf(project))}>Discard changes</Button>}
        </div>
      </form>
    </Section>
  )
}

async function change(id: number, changes: SettingChanges): Promise<Project> {
  const { body } = await api.call('updateProject', { params: { id }, body: changes })
  reportChange('projects', 'audit', 'environments')
  return body
}

/** Returns the present values of the settings that `changes` sets. */
function previousOf(project: Project, changes: SettingChanges): SettingChanges {
  return Object.fromEntries(
    Object.keys(changes).map((key) => [key, project[key as keyof SettingChanges]]),
  )
}
