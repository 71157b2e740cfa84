import type { Node } from '../../../../client/contract.ts'

export type NodeAction = 'drain' | 'activate' | 'evacuate' | 'remove'

export interface NodeActionText {
  readonly verb: string
  readonly title: (node: Node) => string
  readonly effects: readonly string[]
}

/** The words of each action on a node. */
export const nodeActions: Readonly<Record<NodeAction, NodeActionText>> = {
  drain: {
    verb: 'Drain',
    title: ({ name }) => `Drain ${name}`,
    effects: [
      'New deploys go to other nodes. If there is no other node, they wait in the queue.',
      'Apps on this node go on running, and sleeping apps still wake here.',
      'Activate takes this back.',
    ],
  },
  activate: {
    verb: 'Activate',
    title: ({ name }) => `Activate ${name}`,
    effects: ['New deploys may be placed on this node again.'],
  },
  evacuate: {
    verb: 'Evacuate',
    title: ({ name }) => `Evacuate ${name}`,
    effects: [
      'The node is drained: new deploys go to other nodes.',
      'Each live branch is deployed on another node, at the commit that runs now. Visitors notice nothing.',
      'Branches without room elsewhere stay on this node and are listed afterwards.',
    ],
  },
  remove: {
    verb: 'Remove',
    title: ({ name }) => `Remove ${name}`,
    effects: [
      'The daemon forgets the node and its certificates. Nothing on the machine changes.',
      'The daemon refuses this as long as any environment, also a destroyed one, refers to the node.',
      'Registering the node again takes this back.',
    ],
  },
}
