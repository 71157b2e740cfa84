import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Node } from '../../../../client/contract.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { showToast } from '../../state/toasts.ts'
import { asSentence } from '../../text/error-text.ts'
import { counted } from '../../text/format.ts'
import { type NodeAction, nodeActions } from './node-actions.ts'

/** An evacuation deploys each branch: it may take as long as the builds. */
const evacuationMs = 60 * 60_000

interface Evacuation {
  readonly moved: readonly number[]
  readonly stuck: readonly { readonly environment_id: number; readonly reason: string }[]
}

/** Confirms an action on a node, does it, and shows what an evacuation has moved. */
export function NodeActionDialog({
  action,
  node,
  onClose,
}: {
  action: NodeAction
  node: Node
  onClose: () => void
}): JSX.Element {
  const [evacuation, setEvacuation] = useState<Evacuation | undefined>(undefined)
  const hasResult = useRef(false)
  if (evacuation) return <EvacuationDialog node={node} evacuation={evacuation} onClose={onClose} />
  const { title, effects, verb } = nodeActions[action]

  async function run(): Promise<void> {
    if (action === 'evacuate') {
      const { moved, stuck } = await evacuate(node)
      hasResult.current = true
      setEvacuation({ moved, stuck })
    } else {
      await (action === 'remove' ? remove(node) : setState(node, action))
    }
    reportChange('nodes', 'environments', 'stats')
  }

  return (
    <ConfirmDialog
      title={title(node)}
      effects={effects}
      verb={verb}
      tone={action === 'remove' ? 'danger' : 'primary'}
      onConfirm={run}
      onClose={() => {
        // The result of an evacuation takes the place of the question.
        if (!hasResult.current) onClose()
      }}
    />
  )
}

async function evacuate({ id }: Node): Promise<Evacuation> {
  const input = { params: { id }, body: { state: 'draining', evacuate: true } } as const
  return (await api.call('updateNode', input, { timeoutMs: evacuationMs })).body
}

async function setState(node: Node, action: 'drain' | 'activate'): Promise<void> {
  const state = action === 'drain' ? 'draining' : 'active'
  await api.call('updateNode', { params: { id: node.id }, body: { state } })
  if (action === 'activate') {
    showToast(`Node ${node.name} takes deploys again.`, { tone: 'good' })
    return
  }
  const undo = async () => {
    await setState(node, 'activate')
    reportChange('nodes')
  }
  showToast(`Node ${node.name} takes no new deploys.`, {
    tone: 'good',
    action: { label: 'Undo', run: () => void undo() },
  })
}

async function remove({ id, name }: Node): Promise<void> {
  await api.call('removeNode', { params: { id } })
  showToast(`Node ${name} was removed.`, { tone: 'good' })
}

function EvacuationDialog({
  node,
  evacuation: { moved, stuck },
  onClose,
}: {
  node: Node
  evacuation: Evacuation
  onClose: () => void
}): JSX.Element {
  return (
    <Dialog
      title={`Evacuation of ${node.name}`}
      onClose={onClose}
      actions={
        <Button tone="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <p>{counted(moved.length, 'environment')} moved to other nodes.</p>
      {stuck.length > 0 && (
        <>
          <p>{counted(stuck.length, 'environment')} stayed on this node:</p>
          <ul class="effects">
            {stuck.map(({ environment_id: id, reason }) => (
              <li key={id}>
                <a href={`/environments/${id}`}>Environment {id}</a>:{' '}
                <bdi>{asSentence(reason)}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
