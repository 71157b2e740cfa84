import { AnswerError, NoAnswerError } from '../../../daemon/client/errors.ts'
import { ClientError } from './client-error.ts'
import { isLocalUrl } from './daemon-url.ts'
import type { Output } from './terminal/output.ts'

interface Daemon {
  readonly name: string
  readonly url: string
}

/** Says on stderr what went wrong and what to try, and gives the exit code (daemon-api.md, 14). */
export function reportClientError(
  error: unknown,
  output: Output,
  daemonOf: () => Daemon | undefined,
): number {
  const failure = asClientError(error, daemonOf)
  const { paintNote: paint } = output
  output.note(
    `${paint('red', 'error:')} ${failure.message}`,
    ...failure.details,
    ...failure.next.map((line) => `${paint('cyan', '  try:')} ${line}`),
  )
  if (process.env.STRATA_DEBUG && error instanceof Error) output.note(String(error.stack))
  return failure.exitCode
}

/** What a person is told of any error. */
export function asClientError(error: unknown, daemonOf: () => Daemon | undefined): ClientError {
  if (error instanceof ClientError) return error
  if (error instanceof AnswerError) return refusal(error, daemonOf())
  if (error instanceof NoAnswerError) return silence(error, daemonOf())
  const message = error instanceof Error ? error.message : String(error)
  return new ClientError(message, {
    next: ['this is a fault of strata itself; STRATA_DEBUG=1 shows where'],
  })
}

/** [fixed]: 404 is 2, 401 and 403 are 4, any other failure is 1. */
export function exitCodeOf(status: number): 1 | 2 | 4 {
  if (status === 404) return 2
  return status === 401 || status === 403 ? 4 : 1
}

function refusal(error: AnswerError, daemon: Daemon | undefined): ClientError {
  const exitCode = exitCodeOf(error.status)
  const where = daemon ? ` (${daemon.url})` : ''
  switch (error.status) {
    case 401:
      return new ClientError(`${error.message}${where}`, { exitCode, next: loginAgain(daemon) })
    case 403:
      return new ClientError(error.message, {
        exitCode,
        next: /SERVICE_/.test(error.message)
          ? ['it is a setting of the daemon: set it where that is started, and start it again']
          : ['strata whoami shows what the token may do; strata context use <name> changes it'],
      })
    case 404:
      return new ClientError(error.message, { exitCode, next: ['strata ps shows what there is'] })
    case 409:
      return new ClientError(error.message, { exitCode, next: ['strata status'] })
    case 429: {
      const wait = error.retryAfter === undefined ? '' : ` in ${error.retryAfter} s`
      return new ClientError(error.message, { exitCode, next: [`the same again${wait}`] })
    }
    case 500:
      return new ClientError(`the daemon failed: ${error.message}`, {
        exitCode,
        next: [
          `look for the request in the daemon's log${requestOf(error)}: strata daemon status says where it is`,
        ],
      })
    default:
      return new ClientError(error.message, { exitCode })
  }
}

function requestOf({ body }: AnswerError): string {
  return typeof body.request_id === 'string' ? ` (request ${body.request_id})` : ''
}

/** How a daemon that needs a token, or another one, is logged in to. */
export function loginAgain(daemon: Daemon | undefined): string[] {
  if (daemon?.name === 'local') {
    return ['strata daemon start finds the token of the daemon on this machine']
  }
  const name = daemon && daemon.name !== 'STRATA_HOST' ? ` --name ${daemon.name}` : ''
  return [`echo "$TOKEN" | strata login ${daemon?.url ?? '<url>'}${name}`]
}

function silence(error: NoAnswerError, daemon: Daemon | undefined): ClientError {
  if (!daemon) return new ClientError(`the daemon does not answer: ${error.message}`)
  if (error.isSent) {
    return new ClientError(`no answer from the daemon at ${daemon.url}: ${error.message}`, {
      next: ['strata doctor looks at what may be wrong'],
    })
  }
  const next = isLocalUrl(daemon.url)
    ? ['strata daemon start', 'strata doctor looks at what may be wrong']
    : ['strata context list shows the daemons that are known', 'strata doctor']
  return new ClientError(`no daemon answers at ${daemon.url}: ${error.message}`, { next })
}
