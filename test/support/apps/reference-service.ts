import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { ProcessMutantName } from './reference-process-mutants.ts'

type Is = (name: ProcessMutantName) => boolean

export interface ServiceSettings {
  readonly origins: readonly string[]
  readonly docs: boolean
  readonly metrics: boolean
}

/** Parses the settings of a reference's service; adds a line to `faults` for each that is invalid. */
export function readServiceSettings(is: Is, faults: string[]): ServiceSettings {
  const { NODE_ENV, CORS_ORIGINS = '', TRUST_PROXY = '0', DOCS, METRICS = '0' } = process.env
  const origins = CORS_ORIGINS.split(/[\s,]+/).filter(Boolean)
  const isBad = origins.some((each) => each !== '*' && !each.includes('://'))
  if (isBad) faults.push('CORS_ORIGINS: not origins')
  if (!/^[\d.,/]+$/.test(TRUST_PROXY)) faults.push('TRUST_PROXY: not addresses')
  if (!['0', '1', undefined].includes(DOCS)) faults.push('DOCS: not 0 or 1')
  if (!['0', '1'].includes(METRICS)) faults.push('METRICS: not 0 or 1')
  const isProduction = NODE_ENV === 'production' && !is('docs-in-production')
  return {
    origins,
    docs: DOCS === undefined ? !isProduction : DOCS === '1',
    metrics: METRICS === '1',
  }
}

/** Adds CORS, the docs page, metrics and the 503 of a stopping process to an application. */
export function withService(
  app: RequestListener,
  { origins, docs, metrics }: ServiceSettings,
  isStopping: () => boolean,
  is: Is,
): RequestListener {
  const counts = new Map<string, number>()
  return (req, res) => {
    const path = req.url ?? '/'
    if (allowed(req, res)) return void res.writeHead(204).end()
    if (path === '/ready' && isStopping() && !is('ready-while-stopping')) {
      res.statusCode = 503
      res.setHeader('Content-Type', 'application/json')
      return void res.end('{"error":"stopping"}')
    }
    if (path === '/docs' && docs) return page(res)
    if (path === '/metrics' && (metrics || is('metrics-open'))) return void report(res)
    const route = is('metrics-by-path') ? path : path.replace(/\d{4,}$/, ':id')
    res.on('close', () => {
      const labels = `method="${req.method}",route="${route.replace(/^\/nope.*/, '')}",status="${res.statusCode}"`
      counts.set(labels, (counts.get(labels) ?? 0) + 1)
    })
    app(req, res)
  }

  /** Sets the CORS headers. Returns true for a preflight request. */
  function allowed({ headers, method }: IncomingMessage, res: ServerResponse): boolean {
    if (origins.length === 0 && !is('cors-for-all')) return false
    const from = headers.origin ?? ''
    const isAny = origins.includes('*') || is('cors-for-all')
    res.setHeader('Vary', 'Origin')
    if (is('cors-for-one') && origins[0] !== from) return false
    if (!isAny && !origins.includes(from) && !is('cors-echoes')) return false
    res.setHeader('Access-Control-Allow-Origin', isAny && !is('cors-no-star') ? '*' : from)
    res.setHeader('Access-Control-Expose-Headers', 'ETag, Location, Retry-After')
    res.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE')
    res.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type')
    return method === 'OPTIONS'
  }

  function page(res: ServerResponse): void {
    const policy = "default-src 'none'; connect-src 'self'"
    res.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': policy })
    res.end(
      is('docs-from-cdn') ? '<script src="https://cdn.example.com/ui.js"></script>' : '<main>',
    )
  }

  function report(res: ServerResponse): void {
    const lines = [...counts].map(([labels, count]) => `requests_count{${labels}} ${count}`)
    res.writeHead(200, { 'Content-Type': 'text/plain' })
    res.end([...lines, 'process_cpu_seconds_total 1', ''].join('\n'))
  }
}
