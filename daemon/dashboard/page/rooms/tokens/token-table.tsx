import type { JSX } from 'preact'
import type { Project, Token } from '../../../../client/contract.ts'
import { Button } from '../../components/button.tsx'
import { Name } from '../../components/name.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Badge } from '../../components/state-badge.tsx'
import { type Column, Table } from '../../components/table.tsx'

export function isActive(token: Token, nowMs: number): boolean {
  return token.revoked_at === null && !hasExpired(token, nowMs)
}

function hasExpired({ expires_at }: Token, nowMs: number): boolean {
  return expires_at !== null && Date.parse(expires_at) <= nowMs
}

export function TokenTable({
  tokens,
  projects,
  nowMs,
  onRevoke,
}: {
  tokens: readonly Token[]
  projects: readonly Project[]
  nowMs: number
  onRevoke: (token: Token) => void
}): JSX.Element {
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  const columns: readonly Column<Token>[] = [
    { title: 'Name', kind: 'main', cell: ({ name }) => <Name>{name}</Name> },
    { title: 'State', cell: (token) => <State token={token} nowMs={nowMs} /> },
    { title: 'Role', cell: ({ role }) => role },
    { title: 'Projects', cell: (token) => <Projects token={token} names={names} /> },
    { title: 'Created', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
    {
      title: 'Expires',
      cell: ({ expires_at }) => (expires_at === null ? 'never' : <RelativeTime at={expires_at} />),
    },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (token) =>
        isActive(token, nowMs) && (
          <Button tone="quiet" onClick={() => onRevoke(token)}>
            Revoke
            <span class="visually-hidden">{` the token ${token.name}`}</span>
          </Button>
        ),
    },
  ]
  const active = tokens.filter((token) => isActive(token, nowMs)).length
  return (
    <Table
      label="Tokens"
      columns={columns}
      rows={tokens}
      keyOf={({ id }) => id}
      version={`${active} ${[...names.values()].join()}`}
    />
  )
}

function State({ token, nowMs }: { token: Token; nowMs: number }): JSX.Element {
  if (token.revoked_at !== null) return <Badge tone="bad" text="Revoked" />
  if (hasExpired(token, nowMs)) return <Badge tone="rest" text="Expired" />
  return <Badge tone="good" text="Active" />
}

/** Projects that are named before the rest is only counted. */
const maxNames = 3

function Projects({
  token: { projects },
  names,
}: {
  token: Token
  names: ReadonlyMap<number, string>
}): JSX.Element {
  if (projects === null) return <span>all</span>
  const shown = projects.slice(0, maxNames)
  const rest = projects.length - shown.length
  return (
    <span>
      {shown.map((id, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <Name>{names.get(id) ?? `project ${id} (deleted)`}</Name>
        </span>
      ))}
      {rest > 0 && ` and ${rest} more`}
    </span>
  )
}
