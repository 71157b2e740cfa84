import { request } from 'node:http'
import type { Endpoint } from '../domain/endpoints.ts'

/** Result of one health probe. */
export type ProbeResult =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed'; readonly reason: string }

/** Maximum time to read the rest of the response, so that the app sees no broken connection. */
const bodyMs = 1000

/** Sends one GET to an endpoint. Never rejects: an abort gives `failed`. */
export function probe(
  { host, port }: Endpoint,
  path: string,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const sent = request(
      {
        host,
        port,
        path,
        agent: false,
        headers: { host: 'localhost', accept: '*/*', 'user-agent': 'strata-health' },
        timeout: timeoutMs,
        signal,
      },
      (response) => {
        const timer = setTimeout(() => sent.destroy(), bodyMs).unref()
        response
          .on('error', () => {})
          .on('close', () => clearTimeout(timer))
          .resume()
        resolve({ kind: 'answered', status: response.statusCode ?? 0 })
      },
    )
    sent.on('timeout', () => {
      resolve({ kind: 'failed', reason: `no answer to GET ${path} in ${timeoutMs / 1000} s` })
      sent.destroy()
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isRefused = error.code === 'ECONNREFUSED'
      resolve(
        isRefused
          ? { kind: 'refused' }
          : { kind: 'failed', reason: `GET ${path}: ${error.code ?? error.message}` },
      )
    })
    sent.end()
  })
}
