import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-state.tsx'
import { Field, Select } from '../../components/field.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { navigate } from '../../state/router.ts'
import { showToast } from '../../state/toasts.ts'

type Source = 'url' | 'folder' | 'hosted'

/** The property of the request that names a repository of each source. */
const keys = { url: 'repo_url', folder: 'repo_dir', hosted: 'hosted' } as const

/** Registers a repository, and opens the room of its project. */
export function RegisterDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const [source, setSource] = useState<Source>('url')
  const [place, setPlace] = useState('')
  const [token, setToken] = useState('')
  const [context, setContext] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)

  async function register(): Promise<void> {
    if (isBusy || place.trim() === '') return
    setBusy(true)
    setError(undefined)
    try {
      const { body: project } = await api.call('registerProject', {
        body: {
          [keys[source]]: place.trim(),
          ...(source === 'url' && token.trim() !== '' && { git_token: token.trim() }),
          ...(context.trim() !== '' && { context: context.trim() }),
        },
      })
      reportChange('projects', 'audit')
      showToast(
        `${project.name} is registered. ${source === 'hosted' ? 'Push' : 'Deploy'} a branch next.`,
        { tone: 'good' },
      )
      onClose()
      navigate(`/projects/${project.id}`)
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }

  return (
    <Dialog
      title="Register a project"
      onClose={onClose}
      onSubmit={() => void register()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" isSubmit isBusy={isBusy}>
            Register
          </Button>
        </>
      }
    >
      <p class="muted">Nothing is deployed yet, and the repository is not contacted.</p>
      <Select
        label="Repository"
        value={source}
        options={[
          { value: 'url', text: 'at a git host' },
          { value: 'hosted', text: 'hosted by this daemon: you push to it' },
          { value: 'folder', text: 'in a folder on the host of the daemon' },
        ]}
        onChange={setSource}
      />
      {source === 'url' ? (
        <>
          <Field
            label="URL"
            value={place}
            onInput={setPlace}
            placeholder="https://github.com/team/shop.git"
            hint="An https, ssh or git@host:team/shop address."
            isRequired
            isMono
            isFocusedFirst
          />
          <Field
            label="Git token"
            type="password"
            autocomplete="new-password"
            value={token}
            onInput={setToken}
            hint="Only for private repositories over https. The daemon keeps it encrypted."
            isMono
          />
        </>
      ) : source === 'hosted' ? (
        <Field
          label="Name"
          value={place}
          onInput={setPlace}
          placeholder="shop"
          hint="The daemon creates an empty repository. Lower-case letters, digits, -, _ and a dot."
          isRequired
          isMono
        />
      ) : (
        <Field
          label="Folder"
          value={place}
          onInput={setPlace}
          placeholder="/srv/git/shop.git"
          hint="The daemon deploys its commits as they are. No remote is needed."
          isRequired
          isMono
        />
      )}
      <Field
        label="Folder inside the repository"
        value={context}
        onInput={setContext}
        placeholder="apps/shop"
        hint="Leave it empty if the app is at the top of the repository."
        isMono
      />
      {error !== undefined && <ErrorNote error={error} />}
    </Dialog>
  )
}
