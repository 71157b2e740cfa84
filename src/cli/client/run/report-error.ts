import { ConnectionError, ResponseError } from '../../../../daemon/client/errors.ts'
import { isLocalUrl } from '../connection/daemon-url.ts'
import { ClientError } from '../errors/client-error.ts'
import { messageOf } from '../errors/error-text.ts'
import type { Output } from '../terminal/output.ts'

interface Daemon {
  readonly name: string
  readonly url: string
}

/** Prints an error and its advice on stderr. Returns the exit code. */
export function reportClientError(
  error: unknown,
  output: Output,
  findDaemon: () => Daemon | undefined,
): number {
  const failure = asClientError(error, findDaemon)
  const { paintNote: paint } = output
  output.note(
    `${paint('red', 'error:')} ${failure.message}`,
    ...failure.details,
    ...failure.next.map((line) => `${paint('cyan', '  try:')} ${line}`),
  )
  if (process.env.STRATA_DEBUG && error instanceof Error) output.note(String(error.stack))
  return failure.exitCode
}

/** Converts any error to a message, advice and an exit code for the user. */
export function asClientError(error: unknown, findDaemon: () => Daemon | undefined): ClientError {
  if (error instanceof ClientError) return error
  if (error instanceof ResponseError) return explainErrorAnswer(error, findDaemon())
  if (error instanceof ConnectionError) return explainNoAnswer(error, findDaemon())
  return new ClientError(messageOf(error), {
    next: ['report this as a bug in strata; STRATA_DEBUG=1 prints the stack'],
  })
}

/** Maps an HTTP status to an exit code: 404 to 2, 401 and 403 to 4, any other failure to 1. */
export function exitCodeOf(status: number): 1 | 2 | 4 {
  if (status === 404) return 2
  return status === 401 || status === 403 ? 4 : 1
}

function explainErrorAnswer(error: ResponseError, daemon: Daemon | undefined): ClientError {
  const exitCode = exitCodeOf(error.status)
  const where = daemon ? ` (${daemon.url})` : ''
  switch (error.status) {
    case 401:
      return new ClientError(`${error.message}${where}`, { exitCode, next: loginHints(daemon) })
    case 403:
      return new ClientError(error.message, {
        exitCode,
        next: /SERVICE_/.test(error.message)
          ? ['set this variable in the environment of the daemon, then restart the daemon']
          : [
              'strata whoami               shows the permissions of the token',
              'strata context use <name>   switches to another daemon or token',
            ],
      })
    case 404:
      return new ClientError(error.message, {
        exitCode,
        next: ['strata ps   lists the live environments'],
      })
    case 409:
      return new ClientError(error.message, { exitCode, next: ['strata status'] })
    case 429: {
      const wait = error.retryAfter === undefined ? 'later' : `in ${error.retryAfter} s`
      return new ClientError(error.message, { exitCode, next: [`run the command again ${wait}`] })
    }
    case 500:
      return new ClientError(`the daemon failed: ${error.message}`, {
        exitCode,
        next: [
          `search the daemon's log for the request${requestIdOf(error)}; strata daemon status prints the path of the log`,
        ],
      })
    default:
      return new ClientError(error.message, { exitCode })
  }
}

function requestIdOf({ body }: ResponseError): string {
  return typeof body.request_id === 'string' ? ` ${body.request_id}` : ''
}

/** Returns the commands to log in again to a daemon that rejected the token. */
export function loginHints(daemon: Daemon | undefined): string[] {
  if (daemon?.name === 'local') {
    return ['strata daemon start   logs in to the daemon on this machine']
  }
  const name = daemon && daemon.name !== 'STRATA_HOST' ? ` --name ${daemon.name}` : ''
  return [`echo "$TOKEN" | strata login ${daemon?.url ?? '<url>'}${name}`]
}

function explainNoAnswer(error: ConnectionError, daemon: Daemon | undefined): ClientError {
  if (!daemon) return new ClientError(`the daemon does not answer: ${error.message}`)
  if (error.isSent) {
    return new ClientError(`no answer from the daemon at ${daemon.url}: ${error.message}`, {
      next: [doctorHint],
    })
  }
  const next = isLocalUrl(daemon.url)
    ? ['strata daemon start', doctorHint]
    : ['strata context list   lists the known daemons', doctorHint]
  return new ClientError(`no daemon answers at ${daemon.url}: ${error.message}`, { next })
}

const doctorHint = 'strata doctor   diagnoses the problem'
