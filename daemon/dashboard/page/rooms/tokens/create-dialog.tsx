import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Project } from '../../../../client/contract.ts'
import { Button } from '../../components/button.tsx'
import { CopyLine } from '../../components/copy-line.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-state.tsx'
import { Checkbox, Field, Select } from '../../components/field.tsx'
import { visible } from '../../components/name.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import type { Role } from '../../state/rights.ts'

const roles: readonly { readonly value: Role; readonly text: string }[] = [
  { value: 'viewer', text: 'Viewer: sees everything, changes nothing' },
  { value: 'developer', text: 'Developer: also deploys, pauses, wakes and destroys' },
  { value: 'maintainer', text: 'Maintainer: also changes settings and secrets' },
  { value: 'admin', text: 'Admin: also registers projects, changes nodes and global secrets' },
]

const expiries = [
  { value: '30d', text: 'in 30 days' },
  { value: '90d', text: 'in 90 days' },
  { value: '365d', text: 'in a year' },
  { value: '7d', text: 'in 7 days' },
  { value: '1d', text: 'in a day' },
  { value: 'never', text: 'never' },
] as const
type Expiry = (typeof expiries)[number]['value']

const scopes = [
  { value: 'all', text: 'All projects' },
  { value: 'some', text: 'Only some projects' },
] as const

/** Creates a token, and shows it once. */
export function CreateDialog({
  projects,
  onClose,
}: {
  projects: readonly Project[]
  onClose: () => void
}): JSX.Element {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('developer')
  const [scope, setScope] = useState<'all' | 'some'>('all')
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [expiry, setExpiry] = useState<Expiry>('90d')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const [created, setCreated] = useState<string | undefined>(undefined)
  if (created !== undefined) return <ShownOnce name={name} token={created} onClose={onClose} />

  async function create(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      if (scope === 'some' && chosen.size === 0) throw new Error('choose at least one project')
      const body = {
        name: name.trim(),
        role,
        ...(scope === 'some' && { projects: [...chosen] }),
        ...(expiry !== 'never' && { expires_in: expiry }),
      }
      const { body: answer } = await api.call('createToken', { body })
      reportChange('tokens', 'audit')
      setCreated(answer.token)
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }

  return (
    <Dialog
      title="Create a token"
      onClose={onClose}
      onSubmit={() => void create()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" isSubmit isBusy={isBusy}>
            Create
          </Button>
        </>
      }
    >
      <Field
        label="Name"
        value={name}
        onInput={setName}
        placeholder="ada, or ci"
        hint="The person or the program that uses the token. Audit entries have this name."
        isRequired
        isFocusedFirst
      />
      <Select label="Role" value={role} options={roles} onChange={setRole} />
      <Select label="Projects" value={scope} options={scopes} onChange={setScope} />
      {scope === 'some' && (
        <ProjectChoice
          projects={projects}
          chosen={chosen}
          onChange={(next) => {
            setChosen(next)
            setError(undefined)
          }}
        />
      )}
      <Select label="Expires" value={expiry} options={expiries} onChange={setExpiry} />
      {error !== undefined && <ErrorNote error={error} />}
    </Dialog>
  )
}

function ProjectChoice({
  projects,
  chosen,
  onChange,
}: {
  projects: readonly Project[]
  chosen: ReadonlySet<number>
  onChange: (chosen: ReadonlySet<number>) => void
}): JSX.Element {
  return (
    <fieldset class="project-choice">
      <legend class="visually-hidden">Projects of the token</legend>
      {projects.length === 0 && <p class="note">No project is registered yet.</p>}
      {projects.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={visible(name)}
          isTicked={chosen.has(id)}
          onChange={(isTicked) => {
            const next = new Set(chosen)
            if (isTicked) next.add(id)
            else next.delete(id)
            onChange(next)
          }}
        />
      ))}
    </fieldset>
  )
}

function ShownOnce({
  name,
  token,
  onClose,
}: {
  name: string
  token: string
  onClose: () => void
}): JSX.Element {
  return (
    <Dialog
      title={`The token of ${visible(name)}`}
      onClose={onClose}
      actions={
        <Button tone="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <p>Copy the token now: the daemon keeps only its hash, and nobody can show it again.</p>
      <CopyLine text={token} label="token" />
      <p>Its user signs in to this page with it, or in a terminal:</p>
      <CopyLine text={`strata login ${location.origin}`} label="command" />
    </Dialog>
  )
}
