import type { CommonOptions } from '../connection/session.ts'
import { runWithDaemon } from '../run/run-command.ts'

/** `strata rotate-key` */
export function rotateKey(options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const { body } = await client.call('rotateKey', {}, { signal, timeoutMs: 600_000 })
    output.result(body, () => [`encrypted ${body.values} values with a new key`])
    output.note('  earlier backups contain the old key: make a new one with strata backup')
  })
}
