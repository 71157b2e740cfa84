import { ClientError } from '../errors/client-error.ts'
import { messageOf } from '../errors/error-text.ts'
import type { FoundDaemon } from './find-daemon.ts'
import { type LocalSettings, logPath } from './local-settings.ts'

/** The API port is in use; `user` names the program that uses the port. */
export function portTaken(
  { port, dataDir }: LocalSettings,
  user: FoundDaemon['kind'],
): ClientError {
  const isDaemon = user === 'other-daemon'
  const owner = isDaemon ? 'a daemon with another data folder' : 'another program'
  return new ClientError(`port ${port} is in use by ${owner}`, {
    next: [
      `strata daemon start --port ${port + 1}`,
      ...(isDaemon
        ? [`echo "$TOKEN" | strata login http://127.0.0.1:${port}   uses the running daemon`]
        : [`stop the other program (ss -tlnp 'sport = :${port}' shows it)`]),
      `the data folder would be ${dataDir}; --data-dir selects another one`,
    ],
  })
}

/** `log` contains the daemon's output since its start. */
export function startFailed(
  { gatewayPort, dataDir }: LocalSettings,
  log: string,
  cause: unknown,
): ClientError {
  if (/gateway can't listen/.test(log)) {
    return new ClientError(`port ${gatewayPort}, the port of the gateway, is in use`, {
      next: [
        `strata daemon start --gateway-port ${gatewayPort + 1}`,
        `stop the other program (ss -tlnp 'sport = :${gatewayPort}' shows it)`,
      ],
    })
  }
  const lines = log.trimEnd().split('\n').slice(-10)
  return new ClientError(`the daemon did not start: ${messageOf(cause)}`, {
    details: lines.filter((line) => line !== '').map((line) => `  │ ${line}`),
    next: ['strata doctor', `log file: ${logPath(dataDir)}`],
  })
}
