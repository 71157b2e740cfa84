import type { Stats } from '../../../../daemon/client/contract.ts'
import type { CommonOptions } from '../connection/session.ts'
import { runWithDaemon } from '../run/run-command.ts'
import type { Output } from '../terminal/output.ts'
import { printable } from '../terminal/printable.ts'
import { styleOf } from '../terminal/style.ts'
import { formatBytes } from '../terminal/units.ts'

/** `strata stats` */
export function stats(options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const { body } = await client.call('readStats', {}, { signal })
    output.result(body, () => statLines(body, output))
  })
}

function statLines(stats: Stats, { table, paint }: Output): string[] {
  const { environments, host, nodes, queue_length: waiting } = stats
  const states = Object.entries(environments).filter(([, count]) => count > 0)
  return [
    `projects      ${stats.projects}`,
    `environments  ${states.map(([state, count]) => `${count} ${paint(styleOf(state), state)}`).join(', ') || 'none'}`,
    `queue         ${waiting === 0 ? 'empty' : waiting}`,
    `host          ${formatBytes(host.memory_free_bytes)} of ${formatBytes(host.memory_bytes)} free, ${host.cpu_count} cores`,
    '',
    ...table(
      ['NODE', 'STATE', 'LIVE', 'COMMITTED', 'MEMORY', 'CORES'],
      nodes.map((node) => [
        printable(node.name),
        paint(styleOf(node.state), node.state),
        String(node.environments_live),
        `${node.committed_memory_mb} MiB`,
        node.memory_bytes === null ? 'unknown' : formatBytes(node.memory_bytes),
        String(node.cpu_count ?? 'unknown'),
      ]),
    ),
  ]
}
