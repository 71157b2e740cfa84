import { DaemonError } from '../errors.ts'
import {
  addressText,
  type EngineAddress,
  type EngineSettings,
  hostSettings,
} from './docker-host.ts'

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

/** Returns true if the engine did not respond. */
export function isUnreachable(error: unknown): error is EngineError {
  return error instanceof EngineError && error.fault !== 'failed'
}

/** Translates an error of the client. The original is dropped: its options contain the private key. */
export function engineFault(
  error: unknown,
  address: EngineAddress,
  settings: EngineSettings = hostSettings,
): EngineError {
  const advice = `start the engine, or set ${settings.endpoint} to its address`
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
  if (statusCode !== undefined) return answered(statusCode, json, name, settings)
  const why = reasons[code]
  if (why !== undefined) return new EngineError('unreachable', `${why} ${name}: ${advice}`)
  if (/CERT|SSL|TLS|ALERT|EPROTO/i.test(code) || /certificate|SSL|TLS/i.test(message)) {
    return new EngineError(
      'refused',
      `the engine ${name} and the daemon do not accept each other's certificates (${code || 'TLS'}): check ${settings.certificates}`,
    )
  }
  if (code.startsWith('HPE_')) {
    return new EngineError(
      'refused',
      `${name} does not speak the Docker API (${code}): check ${settings.endpoint}, and ${settings.certificates} for an engine with TLS`,
    )
  }
  if (/ECONNRESET|EPIPE/.test(code) || /socket hang up|aborted/.test(message)) {
    return new EngineError(
      'unreachable',
      `the engine ${name} closed the connection: it stops, or it expects TLS (${settings.certificates})`,
    )
  }
  return new EngineError(
    'unreachable',
    `can't reach the engine ${name} (${code || message}): ${advice}`,
  )
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no socket at',
  ECONNREFUSED: 'no engine listens at',
  EACCES: 'the user of the daemon may not use the socket',
  ENOTFOUND: 'the host name is unknown:',
  EHOSTUNREACH: 'there is no route to',
  ENETUNREACH: 'there is no route to',
  ETIMEDOUT: 'no answer from',
}

function answered(
  status: number,
  json: unknown,
  name: string,
  { endpoint, certificates }: EngineSettings,
): EngineError {
  const text =
    typeof json === 'object' && json !== null && 'message' in json ? String(json.message) : ''
  if (status === 400 && text === '') {
    return new EngineError(
      'refused',
      `${name} answered ${status} and is not a Docker engine without TLS: check ${endpoint} and ${certificates}`,
      status,
    )
  }
  return new EngineError(
    'failed',
    text === '' ? `the engine ${name} answered ${status}` : text,
    status,
  )
}
