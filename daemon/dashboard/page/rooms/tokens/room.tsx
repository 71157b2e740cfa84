import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Project, Token } from '../../../../client/contract.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Checkbox } from '../../components/field.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { api } from '../../state/api.ts'
import { now } from '../../state/clock.ts'
import { reportChange } from '../../state/live.ts'
import { showToast } from '../../state/toasts.ts'
import { useData } from '../../state/use-data.ts'
import { CreateDialog } from './create-dialog.tsx'
import { isActive, TokenTable } from './token-table.tsx'

export interface TokensData {
  readonly tokens: readonly Token[]
  readonly projects: readonly Project[]
}

/** Named tokens: one for each person or program. */
export function Room(): JSX.Element {
  const { data, error, reload } = useData('tokens', read, ['tokens', 'projects'])
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<Token | undefined>(undefined)
  return (
    <>
      <PageHeader
        title="Tokens"
        actions={
          <Button tone="primary" icon="plus" onClick={() => setCreating(true)}>
            Create token
          </Button>
        }
      />
      {data ? (
        <List data={data} onRevoke={setRevoked} />
      ) : error === undefined ? (
        <Skeleton kind="rows" rows={4} />
      ) : (
        <ErrorState error={error} onRetry={reload} />
      )}
      {isCreating && (
        <CreateDialog projects={data?.projects ?? []} onClose={() => setCreating(false)} />
      )}
      {revoked && (
        <ConfirmDialog
          title={`Revoke the token ${revoked.name}`}
          effects={[
            'Every request with this token is refused from now on, and its open streams end at once.',
            'A revoked token cannot be made valid again: its user needs a new one.',
            'What the token has deployed goes on running.',
          ]}
          verb="Revoke"
          tone="danger"
          onConfirm={() => revoke(revoked)}
          onClose={() => setRevoked(undefined)}
        />
      )}
    </>
  )
}

function List({
  data: { tokens, projects },
  onRevoke,
}: {
  data: TokensData
  onRevoke: (token: Token) => void
}): JSX.Element {
  const [isAll, setAll] = useState(false)
  const active = tokens.filter((token) => isActive(token, now.value))
  const ended = tokens.length - active.length
  const shown = isAll ? tokens : active
  return (
    <div class="token-list">
      {shown.length === 0 ? (
        <EmptyState icon="tokens" title="No active tokens">
          <p>
            Give each person and each program a token of its own: it can be limited to a role and to
            some projects, and revoked alone. The master token stays with the operator.
          </p>
        </EmptyState>
      ) : (
        <TokenTable
          tokens={shown.toReversed()}
          projects={projects}
          nowMs={now.value}
          onRevoke={onRevoke}
        />
      )}
      {ended > 0 && (
        <Checkbox
          label={`Show revoked and expired tokens (${ended})`}
          isTicked={isAll}
          onChange={setAll}
        />
      )}
    </div>
  )
}

async function revoke({ id, name }: Token): Promise<void> {
  await api.call('revokeToken', { params: { id } })
  reportChange('tokens', 'audit')
  showToast(`The token ${name} is revoked.`, { tone: 'good' })
}

async function read(signal: AbortSignal): Promise<TokensData> {
  const [tokens, projects] = await Promise.all([
    api.call('listTokens', {}, { signal }),
    api.call('listProjects', {}, { signal }),
  ])
  return { tokens: tokens.body, projects: projects.body }
}
