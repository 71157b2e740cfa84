import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import {
  addressText,
  type EngineAddress,
  type EngineSettings,
  hostSettings,
} from './docker-host.ts'
import { EngineError, engineFault } from './engine-error.ts'

/** A call of the Engine API. */
export interface EngineCall {
  readonly method?: 'GET' | 'POST' | 'DELETE' | 'PUT'
  /** Path without query, such as `/containers/json`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: unknown
  /** Body of another type than JSON: a tar archive. */
  readonly file?: Readable
  /** True: the connection becomes a stream in both directions, which `stream` returns. */
  readonly isDuplex?: true
  /** Time limit of the call, or of the response's start for a stream. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** The API of one Docker engine. Every call has a time limit. Errors are EngineError. */
export interface Engine {
  /** Address for messages. */
  readonly name: string
  readonly address: EngineAddress
  /** Settings that messages advise to check. */
  readonly settings: EngineSettings
  /** Returns the parsed JSON of a response; undefined for an empty body. */
  call(call: EngineCall): Promise<unknown>
  /** Returns the body as a stream. The caller destroys it, or aborts `signal`. */
  stream(call: EngineCall): Promise<Readable>
}

const defaultTimeoutMs = 15_000

/**
 * Creates the client of an engine. Loads dockerode at the first call, because only the docker runtime needs it. Its
 * objects contain keys: they stay inside this function and are never logged.
 */
export function createEngine(
  address: EngineAddress,
  settings: EngineSettings = hostSettings,
): Engine {
  const name = addressText(address)
  let loading: Promise<Docker> | undefined

  async function dial(call: EngineCall, isStream: boolean): Promise<unknown> {
    loading ??= connect(address).catch((error) => {
      loading = undefined
      throw error
    })
    const { modem } = await loading
    const {
      method = 'GET',
      path,
      query,
      file,
      isDuplex,
      timeoutMs = defaultTimeoutMs,
      signal,
    } = call
    // Without a body, Node would not send the head of a request that stays open.
    const body = isDuplex ? { isDuplex } : call.body
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), timeoutMs)
    const abortSignal = signal ? AbortSignal.any([signal, late.signal]) : late.signal
    const hasQuery = query !== undefined
    try {
      return await new Promise((resolve, reject) => {
        const options = {
          path: hasQuery ? `${path}?` : path,
          method,
          // Without `_body` the modem would send the query as the body of a POST, too.
          ...((hasQuery || body !== undefined) && {
            options: { _query: query ?? {}, _body: body ?? {} },
          }),
          ...(file && { file }),
          ...(isDuplex && { hijack: true, openStdin: true }),
          isStream,
          abortSignal,
          statusCodes: successCodes,
        }
        modem.dial(options, (error: unknown, result: unknown) =>
          error ? reject(error) : resolve(result),
        )
      })
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (late.signal.aborted) {
        throw new EngineError('unreachable', `the engine ${name} does not respond`)
      }
      throw engineFault(error, address, settings)
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    name,
    address,
    settings,
    async call(call) {
      const result = await dial(call, false)
      return Buffer.isBuffer(result) && result.length === 0 ? undefined : result
    },
    async stream(call) {
      // The cast is safe: the modem returns the response itself for a stream.
      const response = (await dial(call, true)) as Readable
      call.signal?.addEventListener('abort', () => response.destroy(), { once: true })
      return response
    },
  }
}

const successCodes = { 101: true, 200: true, 201: true, 202: true, 204: true, 304: true }

async function connect(address: EngineAddress): Promise<Docker> {
  const { default: DockerClient } = await import('dockerode')
  if (address.kind === 'unix') return new DockerClient({ socketPath: address.path })
  const { host, port, tls } = address
  if (!tls) return new DockerClient({ host, port, protocol: 'http' })
  const { ca, cert, key } = tls
  return new DockerClient({ host, port, protocol: 'https', ca, cert, key: key.reveal() })
}
