import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Node } from '../../../../client/contract.ts'
import { Button } from '../../components/button.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { api } from '../../state/api.ts'
import { roleNeed } from '../../state/rights.ts'
import { useData } from '../../state/use-data.ts'
import { NodeActionDialog } from './node-action-dialog.tsx'
import type { NodeAction } from './node-actions.ts'
import type { NodeRow } from './node-row.ts'
import { NodeTable } from './node-table.tsx'
import { RegisterDialog } from './register-dialog.tsx'

/** The machines that run apps. */
export function Room(): JSX.Element {
  const { data, error, reload } = useData('nodes', readRows, ['nodes', 'stats'])
  const [isRegistering, setRegistering] = useState(false)
  const [chosen, setChosen] = useState<{ action: NodeAction; node: Node } | undefined>(undefined)
  return (
    <>
      <PageHeader
        title="Nodes"
        actions={
          <Button
            tone="primary"
            icon="plus"
            needs={roleNeed('admin')}
            onClick={() => setRegistering(true)}
          >
            Register node
          </Button>
        }
      />
      {data ? (
        <NodeTable rows={data} onAction={(action, node) => setChosen({ action, node })} />
      ) : error === undefined ? (
        <Skeleton kind="rows" rows={3} />
      ) : (
        <ErrorState error={error} onRetry={reload} />
      )}
      {isRegistering && <RegisterDialog onClose={() => setRegistering(false)} />}
      {chosen && <NodeActionDialog {...chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

async function readRows(signal: AbortSignal): Promise<NodeRow[]> {
  const [nodes, stats] = await Promise.all([
    api.call('listNodes', {}, { signal }),
    api.call('readStats', {}, { signal }),
  ])
  const uses = new Map(stats.body.nodes.map((use) => [use.id, use]))
  return nodes.body.map((node) => ({ id: node.id, node, use: uses.get(node.id) }))
}
