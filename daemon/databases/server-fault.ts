import { maskSecrets } from '../domain/mask-secrets.ts'
import { DaemonError } from '../errors.ts'

/** Names of the settings with the administrator's URLs. */
export const urlSettings = {
  postgres: 'SERVICE_POSTGRES_URL',
  mysql: 'SERVICE_MYSQL_URL',
  mongodb: 'SERVICE_MONGODB_URL',
} as const

/** Codes of a server that does not answer, or that is starting or stopping. */
const temporary =
  /^(E(CONN|HOST|NET|PIPE|TIMEDOUT|AI_AGAIN)\w*|57P0[123]|53300|08\w{3}|ER_(GET_CONNECTION_TIMEOUT|SOCKET_\w+|CONNECTION_TIMEOUT|CON_COUNT_ERROR))$/

/**
 * Returns the error for people: `transient` if the server does not answer, otherwise `unprocessable` with the server's
 * message. `secrets` never appear in it.
 */
export function serverFault(
  error: unknown,
  { kind, secrets }: { kind: keyof typeof urlSettings; secrets: readonly string[] },
): DaemonError {
  if (error instanceof DaemonError) return error
  const setting = urlSettings[kind]
  const { code, message } = partsOf(error)
  const text = maskSecrets(message, secrets).slice(0, 400)
  if (temporary.test(code) || /timeout|timed out|terminated|server selection/i.test(message)) {
    return new DaemonError(
      'transient',
      `the server of ${setting} does not answer (${text}): start it, or correct the setting`,
    )
  }
  return new DaemonError('unprocessable', `the server of ${setting} refuses: ${text}`)
}

function partsOf(error: unknown): { code: string; message: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return partsOf(error.errors[0])
  if (!(error instanceof Error)) return { code: '', message: String(error) }
  const code = 'code' in error ? String(error.code) : ''
  return { code, message: error.message || code }
}
