import type { JSX } from 'preact'
import type { Stats } from '../../../../client/contract.ts'
import { session } from '../../state/session.ts'
import { bytesText, counted } from '../../text/format.ts'

/** The numbers of the host and of the daemon. */
export function Facts({ stats }: { stats: Stats }): JSX.Element {
  const { host, environments, projects, queue_length: queued, nodes } = stats
  const asleep = (environments.paused ?? 0) + (environments.hibernating ?? 0)
  const current = session.value
  const facts: readonly (readonly [string, string])[] = [
    ['Version', current.kind === 'signed-in' ? current.setup.version : ''],
    [
      'Memory of this machine',
      `${bytesText(host.memory_free_bytes)} free of ${bytesText(host.memory_bytes)}`,
    ],
    ['Processors', counted(host.cpu_count, 'core')],
    ['Nodes', String(nodes.length)],
    ['Projects', String(projects)],
    ['Environments', `${environments.running ?? 0} running, ${asleep} asleep, ${queued} queued`],
  ]
  return (
    <dl class="facts card infra-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
