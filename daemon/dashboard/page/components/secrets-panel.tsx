import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Need } from '../state/rights.ts'
import type { Loaded } from '../state/use-data.ts'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog } from './dialog.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorNote, ErrorState } from './error-state.tsx'
import { Field } from './field.tsx'
import { Skeleton } from './skeleton.tsx'
import { Table } from './table.tsx'

export interface Secret {
  readonly name: string
}

/** The names of secrets in one scope, with the actions that set and delete them. Values never leave the daemon. */
export function SecretsPanel({
  secrets,
  scopeText,
  needs,
  onSet,
  onDelete,
}: {
  secrets: Loaded<readonly Secret[]>
  /** Completes a sentence: `every project`, `the branch main`. */
  scopeText: string
  needs: Need
  onSet: (name: string, value: string) => Promise<unknown>
  onDelete: (name: string) => Promise<unknown>
}): JSX.Element {
  const [edited, setEdited] = useState<string | undefined>(undefined)
  const [deleted, setDeleted] = useState<string | undefined>(undefined)
  const { data, error, reload } = secrets
  return (
    <>
      <div class="panel-actions">
        <Button icon="plus" needs={needs} onClick={() => setEdited('')}>
          Set a secret
        </Button>
      </div>
      {data === undefined ? (
        error === undefined ? (
          <Skeleton kind="rows" rows={2} />
        ) : (
          <ErrorState error={error} onRetry={reload} />
        )
      ) : data.length === 0 ? (
        <EmptyState icon="secrets" title="No secret in this scope">
          <p>Apps get secrets as environment variables at their next deploy.</p>
        </EmptyState>
      ) : (
        <Table
          label="Secrets"
          rows={data}
          keyOf={({ name }) => name}
          columns={[
            { title: 'Name', kind: 'main', cell: ({ name }) => <code>{name}</code> },
            { title: 'Value', cell: () => <span class="muted">hidden</span> },
            {
              title: 'Actions',
              kind: 'actions',
              cell: ({ name }) => (
                <span class="row row-end">
                  <Button tone="quiet" needs={needs} onClick={() => setEdited(name)}>
                    Replace
                  </Button>
                  <Button tone="quiet" needs={needs} onClick={() => setDeleted(name)}>
                    Delete
                  </Button>
                </span>
              ),
            },
          ]}
        />
      )}
      {edited !== undefined && (
        <SecretDialog
          name={edited}
          scopeText={scopeText}
          onSet={onSet}
          onClose={() => setEdited(undefined)}
        />
      )}
      {deleted !== undefined && (
        <ConfirmDialog
          title={`Delete ${deleted}?`}
          effects={[
            'The daemon forgets its value for good.',
            'Running apps keep it until their next deploy, wake or restart.',
          ]}
          verb="Delete"
          tone="danger"
          onConfirm={() => onDelete(deleted)}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </>
  )
}

/** Sets the value of a secret. `name` is empty for a new one. */
function SecretDialog({
  name,
  scopeText,
  onSet,
  onClose,
}: {
  name: string
  scopeText: string
  onSet: (name: string, value: string) => Promise<unknown>
  onClose: () => void
}): JSX.Element {
  const [given, setGiven] = useState(name)
  const [value, setValue] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)

  async function save(): Promise<void> {
    if (isBusy || given.trim() === '') return
    setBusy(true)
    setError(undefined)
    try {
      await onSet(given.trim(), value)
      onClose()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={name === '' ? 'Set a secret' : `Replace ${name}`}
      onClose={onClose}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" isSubmit isBusy={isBusy}>
            Save
          </Button>
        </>
      }
    >
      <p class="muted">
        Apps of {scopeText} get it as an environment variable at their next deploy. Nobody can read
        the value again.
      </p>
      {name === '' && (
        <Field
          label="Name"
          value={given}
          onInput={setGiven}
          placeholder="DATABASE_URL"
          hint="Letters, digits and _."
          isRequired
          isMono
          isFocusedFirst
        />
      )}
      <Field label="Value" value={value} onInput={setValue} rows={3} isMono isFocusedFirst />
      {error !== undefined && <ErrorNote error={error} />}
    </Dialog>
  )
}
