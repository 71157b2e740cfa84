import type { JSX } from 'preact'
import type { Node } from '../../../../client/contract.ts'
import { Menu } from '../../components/menu.tsx'
import { Name } from '../../components/name.tsx'
import { Badge } from '../../components/state-badge.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { roleNeed } from '../../state/rights.ts'
import { asSentence } from '../../text/error-text.ts'
import { bytesText, counted } from '../../text/format.ts'
import { type NodeAction, nodeActions } from './node-actions.ts'
import type { NodeRow } from './node-row.ts'

const tones = { active: 'good', draining: 'warn', down: 'bad' } as const
const words = { active: 'Active', draining: 'Draining', down: 'Down' } as const

export function NodeTable({
  rows,
  onAction,
}: {
  rows: readonly NodeRow[]
  onAction: (action: NodeAction, node: Node) => void
}): JSX.Element {
  const columns: readonly Column<NodeRow>[] = [
    { title: 'Name', kind: 'main', cell: ({ node }) => <Name>{node.name}</Name> },
    { title: 'State', cell: State },
    { title: 'Endpoint', cell: Endpoint },
    {
      title: 'Apps',
      cell: ({ use }) => (use ? counted(use.environments_live, 'environment') : '–'),
    },
    { title: 'Memory', cell: Memory },
    {
      title: 'Actions',
      kind: 'actions',
      cell: ({ node }) => (
        <Menu
          label={`Actions of node ${node.name}`}
          items={actionsFor(node).map((action) => ({
            text: nodeActions[action].verb,
            ...(action === 'remove' && { tone: 'danger' as const, icon: 'trash' as const }),
            needs: roleNeed('admin'),
            onSelect: () => onAction(action, node),
          }))}
        />
      ),
    },
  ]
  return <Table label="Nodes" columns={columns} rows={rows} keyOf={({ id }) => id} />
}

function actionsFor({ state }: Node): readonly NodeAction[] {
  if (state === 'down') return ['remove']
  return state === 'active' ? ['drain', 'evacuate', 'remove'] : ['activate', 'evacuate', 'remove']
}

function State({ node: { state, reason } }: NodeRow): JSX.Element {
  return (
    <div>
      <Badge tone={tones[state]} text={words[state]} />
      {reason && (
        <p class="note">
          <bdi>{asSentence(reason)}</bdi>
        </p>
      )}
    </div>
  )
}

function Endpoint({ node: { endpoint, address, has_tls } }: NodeRow): JSX.Element {
  if (endpoint === 'local') return <span>this machine</span>
  return (
    <div>
      <Name mono>{endpoint}</Name>
      <p class="note">
        {has_tls ? 'TLS' : 'without TLS'}
        {address !== null && (
          <>
            {' · apps at '}
            <Name>{address}</Name>
          </>
        )}
      </p>
    </div>
  )
}

const mib = 2 ** 20

function Memory({ node, use }: NodeRow): JSX.Element {
  if (!use || use.memory_bytes === null) return <span class="muted">unknown</span>
  const reserved = node.reserved_memory_mb
  return (
    <div>
      {bytesText(use.committed_memory_mb * mib)} of {bytesText(use.memory_bytes)}
      {reserved > 0 && <p class="note">{bytesText(reserved * mib)} kept free</p>}
    </div>
  )
}
