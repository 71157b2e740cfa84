import { Agent } from 'node:https'
import { rootCertificates } from 'node:tls'

type Library = typeof import('acme-client')

/** The last refusal of the authority (RFC 7807), which the library reduces to a text. */
export interface Problem {
  readonly status: number
  /** Such as `rateLimited`. */
  readonly type: string
  readonly detail: string
  readonly retryAfterMs: number
}

export interface Acme {
  readonly library: Library
  /** Returns and forgets the refusal in the newest response; undefined if that was a success. */
  takeProblem(): Problem | undefined
  peekProblem(): Problem | undefined
}

const requestMs = 30_000
const maxAnswerBytes = 1024 * 1024
const maxRetryAfterMs = 7 * 86_400_000

/** Loads the library: it needs some megabytes, and few daemons get certificates. `ca`: see `DomainConfig.acme`. */
export async function loadAcme(ca: string | null): Promise<Acme> {
  const library = await import('acme-client')
  const { axios } = library
  const { defaults } = axios
  defaults.timeout = requestMs
  defaults.maxContentLength = maxAnswerBytes
  defaults.maxRedirects = 0
  if (ca !== null) defaults.httpsAgent = new Agent({ ca: [...rootCertificates, ca] })
  // The daemon repeats failed orders itself: the library would wait for hours inside one call.
  Object.assign(defaults, { acmeSettings: { ...acmeSettingsOf(defaults), retryMaxAttempts: 0 } })
  let problem: Problem | undefined
  axios.interceptors.response.use((response) => {
    problem = response.status >= 400 ? problemOf(response) : undefined
    return response
  })
  return {
    library,
    peekProblem: () => problem,
    takeProblem() {
      const taken = problem
      problem = undefined
      return taken
    },
  }
}

function acmeSettingsOf(defaults: object): object {
  return 'acmeSettings' in defaults ? Object(defaults.acmeSettings) : {}
}

function problemOf(response: { status: number; data: unknown; headers: unknown }): Problem {
  const { type, detail } = Object(response.data) as { type?: unknown; detail?: unknown }
  const retryAfter = (Object(response.headers) as Record<string, unknown>)['retry-after']
  return {
    status: response.status,
    type: String(type ?? '').replace(/^urn:ietf:params:acme:error:/, ''),
    detail: String(detail ?? ''),
    retryAfterMs: retryAfterMs(String(retryAfter ?? '')),
  }
}

/** Parses `Retry-After`: seconds, or a date. Returns 0 for anything else. */
function retryAfterMs(text: string): number {
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), maxRetryAfterMs) : 0
}
