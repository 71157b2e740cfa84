import type { InfraStatus } from '../../../../daemon/client/contract.ts'
import type { CommonOptions } from '../connection/session.ts'
import { runWithDaemon } from '../run/run-command.ts'
import type { Output } from '../terminal/output.ts'
import { printable } from '../terminal/printable.ts'
import { webhookAddresses, webhookLines } from './webhook.ts'

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

/** `strata infra webhook`: prints the values that the webhook settings of a git host ask for. */
export function infraWebhook(options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { body } = await client.call('readWebhookSecret', {}, { signal })
    const addresses = webhookAddresses(session)
    output.result({ ...body, addresses }, () => webhookLines(body.webhook_secret, addresses))
  })
}

function infraLines({ checks, next_steps, walls }: InfraStatus, { paint }: Output): string[] {
  return [
    ...checks.map(({ name, ok, detail }) => {
      const mark = ok ? paint('green', 'ok  ') : paint('yellow', 'miss')
      return `${mark}  ${name.padEnd(15)} ${printable(detail)}`
    }),
    ...(walls ?? []).map(({ name, stands, detail }) => {
      const mark = stands ? paint('green', 'ok  ') : paint('yellow', 'miss')
      return `${mark}  ${`wall: ${name}`.padEnd(15)} ${printable(detail)}`
    }),
    ...(next_steps.length > 0 ? ['', 'next:', ...next_steps.map((step) => `  ${step}`)] : []),
  ]
}
