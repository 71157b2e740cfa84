import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Project } from '../../../../client/contract.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Field } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { roleNeed } from '../../state/rights.ts'
import { showToast } from '../../state/toasts.ts'

/** The token with which the daemon fetches a private repository. */
export function GitToken({ project }: { project: Project }): JSX.Element {
  const { id, has_git_token: hasToken } = project
  const [dialog, setDialog] = useState<'set' | 'clear' | undefined>(undefined)
  const [given, setGiven] = useState('')
  const needs = roleNeed('maintainer', id)
  const close = () => {
    setDialog(undefined)
    setGiven('')
  }

  async function save(token: string, text: string): Promise<void> {
    await api.call('updateProject', { params: { id }, body: { git_token: token } })
    reportChange('projects', 'audit')
    showToast(text, { tone: 'good' })
  }

  return (
    <Section
      kind="card"
      title="Git token"
      note={
        hasToken
          ? 'The daemon fetches the repository with a token, which it keeps encrypted.'
          : 'The daemon fetches the repository without a token. A private one over https needs it.'
      }
      actions={
        <>
          <Button needs={needs} onClick={() => setDialog('set')}>
            {hasToken ? 'Replace' : 'Set a token'}
          </Button>
          {hasToken && (
            <Button tone="quiet" needs={needs} onClick={() => setDialog('clear')}>
              Remove
            </Button>
          )}
        </>
      }
    >
      {dialog === 'set' && (
        <ConfirmDialog
          title="Set the git token"
          effects={['The next fetch of the repository uses it. Nobody can read it again.']}
          verb="Save"
          onConfirm={async () => {
            if (given.trim() === '') throw new Error('give a token')
            await save(given.trim(), 'The git token is set.')
          }}
          onClose={close}
        >
          <Field
            label="Token"
            type="password"
            autocomplete="new-password"
            value={given}
            onInput={setGiven}
            isMono
            isFocusedFirst
          />
        </ConfirmDialog>
      )}
      {dialog === 'clear' && (
        <ConfirmDialog
          title="Remove the git token?"
          effects={[
            'The daemon forgets it for good.',
            'Deploys of a private repository fail until it has a token again. Running apps keep running.',
          ]}
          verb="Remove"
          tone="danger"
          onConfirm={() => save('', 'The git token is removed.')}
          onClose={close}
        />
      )}
    </Section>
  )
}
