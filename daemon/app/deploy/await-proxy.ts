import { durationText } from '../../domain/duration.ts'
import type { Logger, Logs, ProxyAnswer, ProxyWatch } from '../../ports.ts'
import type { Deploy, SwitchedRoute } from './deploy.ts'

/**
 * The step after the switch: waits until the proxies in front of the gateway know the host name of a new environment. A
 * replaced environment with the same host name changes no route of a proxy, so that nothing waits. Never throws: the
 * deploy has succeeded.
 */
export function createAwaitProxy({
  proxies,
  logs,
  logger,
}: {
  /** Undefined: no proxy can be known. */
  proxies: ProxyWatch | undefined
  logs: Pick<Logs, 'sink'>
  logger: Pick<Logger, 'warn' | 'error'>
}): (deploy: Pick<Deploy, 'signal'>, switched: SwitchedRoute) => Promise<void> {
  return async ({ signal }, { environment: { id, hostname }, old }) => {
    if (!proxies || old?.hostname === hostname) return
    try {
      const warning = warningOf(await proxies.acknowledged(signal), hostname)
      if (warning === undefined) return
      logger.warn({ environmentId: id }, warning)
      const sink = logs.sink(id, 'build')
      await sink.write(Buffer.from(`warning: ${warning}\n`), 'stdout')
      await sink.end()
    } catch (err) {
      logger.error({ err, environmentId: id }, 'could not wait for the proxy')
    }
  }
}

function warningOf(answer: ProxyAnswer, hostname: string): string | undefined {
  switch (answer.kind) {
    case 'acknowledged':
    case 'none':
      return undefined
    case 'late':
      return `no proxy has read the route of ${hostname} within ${durationText(answer.waitMs)}: the proxy does not know the host name before its next poll of /proxy/config`
    case 'silent':
      return `the proxy has not polled /proxy/config for ${durationText(answer.silentMs)}, and does not know ${hostname}: check the proxy and its token`
  }
}
