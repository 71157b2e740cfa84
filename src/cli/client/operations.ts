import type { InfraStatus, Stats } from '../../../daemon/client/contract.ts'
import { runWithDaemon } from './run.ts'
import type { CommonOptions } from './session.ts'
import type { Output } from './terminal/output.ts'
import { printable } from './terminal/printable.ts'
import { styleOf } from './terminal/style.ts'
import { sizeOf } from './terminal/times.ts'

/** `strata stats` */
export function stats(options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const { body } = await client.call('readStats', {}, { signal })
    output.result(body, () => statLines(body, output))
  })
}

/** `strata infra` */
export function infraStatus(options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const { body } = await client.call('readInfraStatus', {}, { signal })
    output.result(body, () => infraLines(body, output))
  })
}

/** `strata infra bootstrap` */
export function infraBootstrap(options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const { body } = await client.call('bootstrapInfra', {}, { signal, timeoutMs: 120_000 })
    output.result(body, () => infraLines(body, output))
  })
}

/** `strata infra webhook`: what the settings of a git host ask for. */
export function infraWebhook(options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal, url }) => {
    const { body } = await client.call('readWebhookSecret', {}, { signal })
    const hosts = ['github', 'gitlab', 'gitea', 'gogs']
    const addresses = hosts.map((host) => `${url}/api/v1/webhooks/${host}`)
    output.result({ ...body, addresses }, () => [
      `secret   ${body.webhook_secret}`,
      ...addresses.map((address) => `address  ${address}`),
    ])
  })
}

/** `strata rotate-key` */
export function rotateKey(options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const { body } = await client.call('rotateKey', {}, { signal, timeoutMs: 600_000 })
    output.result(body, () => [`${body.values} values are encrypted with a new key`])
    output.note('  backups of before hold the key of before: make a new one with strata backup')
  })
}

export function statLines(stats: Stats, { table, paint }: Output): string[] {
  const { environments, host, nodes, queue_length: waiting } = stats
  const states = Object.entries(environments).filter(([, count]) => count > 0)
  return [
    `projects      ${stats.projects}`,
    `environments  ${states.map(([state, count]) => `${count} ${paint(styleOf(state), state)}`).join(', ') || 'none'}`,
    `queue         ${waiting === 0 ? 'empty' : waiting}`,
    `host          ${sizeOf(host.memory_free_bytes)} of ${sizeOf(host.memory_bytes)} free, ${host.cpu_count} cores`,
    '',
    ...table(
      ['NODE', 'STATE', 'LIVE', 'COMMITTED', 'MEMORY', 'CORES'],
      nodes.map((node) => [
        printable(node.name),
        paint(styleOf(node.state), node.state),
        String(node.environments_live),
        `${node.committed_memory_mb} MiB`,
        node.memory_bytes === null ? 'not known' : sizeOf(node.memory_bytes),
        String(node.cpu_count ?? 'not known'),
      ]),
    ),
  ]
}

function infraLines({ checks, next_steps }: InfraStatus, { paint }: Output): string[] {
  return [
    ...checks.map(({ name, ok, detail }) => {
      const mark = ok ? paint('green', 'ok  ') : paint('yellow', 'miss')
      return `${mark}  ${name.padEnd(15)} ${printable(detail)}`
    }),
    ...(next_steps.length > 0 ? ['', 'next:', ...next_steps.map((step) => `  ${step}`)] : []),
  ]
}
