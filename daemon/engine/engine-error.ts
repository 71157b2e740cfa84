import { DaemonError } from '../errors.ts'
import { addressText, type EngineAddress } from './docker-host.ts'

/**
 * Fault of an engine call. `unreachable`: no connection or no answer. `refused`: a connection, but TLS or the protocol
 * does not fit. `failed`: the engine answered with an error; `status` is its HTTP status.
 */
export class EngineError extends DaemonError {
  readonly fault: 'unreachable' | 'refused' | 'failed'
  readonly status: number | undefined

  constructor(fault: 'unreachable' | 'refused' | 'failed', message: string, status?: number) {
    super(fault === 'failed' ? 'internal' : 'transient', message)
    this.name = 'EngineError'
    this.fault = fault
    this.status = status
  }
}

/** Returns true for an error with this HTTP status of the engine. */
export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof EngineError && error.status === status
}

/** Translates an error of the client. The original is dropped: its options contain the private key. */
export function engineFault(error: unknown, address: EngineAddress): EngineError {
  const name = addressText(address)
  const {
    code = '',
    message = '',
    statusCode,
    json,
  } = error as NodeJS.ErrnoException & {
    statusCode?: number
    json?: unknown
  }
  if (statusCode !== undefined) return answered(statusCode, json, name)
  const why = reasons[code]
  if (why !== undefined) return new EngineError('unreachable', `${why} ${name}: ${advice}`)
  if (/CERT|SSL|TLS|ALERT|EPROTO/i.test(code) || /certificate|SSL|TLS/i.test(message)) {
    return new EngineError(
      'refused',
      `the engine ${name} and the daemon do not accept each other's certificates (${code || 'TLS'}): check DOCKER_CERT_PATH and DOCKER_TLS_VERIFY`,
    )
  }
  if (code.startsWith('HPE_')) {
    return new EngineError(
      'refused',
      `${name} does not speak the Docker API (${code}): check DOCKER_HOST, and DOCKER_TLS_VERIFY for an engine with TLS`,
    )
  }
  if (/ECONNRESET|EPIPE/.test(code) || /socket hang up|aborted/.test(message)) {
    return new EngineError(
      'unreachable',
      `the engine ${name} closed the connection: it stops, or it expects TLS (DOCKER_TLS_VERIFY)`,
    )
  }
  return new EngineError(
    'unreachable',
    `can't reach the engine ${name} (${code || message}): ${advice}`,
  )
}

const advice = 'start the engine, or set DOCKER_HOST to its address'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no socket at',
  ECONNREFUSED: 'no engine listens at',
  EACCES: 'the user of the daemon may not use the socket',
  ENOTFOUND: 'the host name is unknown:',
  EHOSTUNREACH: 'there is no route to',
  ENETUNREACH: 'there is no route to',
  ETIMEDOUT: 'no answer from',
}

function answered(status: number, json: unknown, name: string): EngineError {
  const text =
    typeof json === 'object' && json !== null && 'message' in json ? String(json.message) : ''
  if (status === 400 && text === '') {
    return new EngineError(
      'refused',
      `${name} answered ${status} and is not a Docker engine without TLS: check DOCKER_HOST and DOCKER_TLS_VERIFY`,
      status,
    )
  }
  return new EngineError(
    'failed',
    text === '' ? `the engine ${name} answered ${status}` : text,
    status,
  )
}
