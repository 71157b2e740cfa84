import type { BranchTotals } from '../app/ground/use-cases.ts'
import { addTraffic, latencyBounds, noTraffic, type Traffic } from '../domain/traffic.ts'

type App = BranchTotals & { readonly project: string }

/**
 * Renders the metrics of the gateway and of apps: a label set for each branch. Counters begin at zero when the daemon
 * starts. The caller limits the number of branches.
 */
export function appMetrics(apps: readonly App[]): string[] {
  const all = apps.reduce((sum, { traffic }) => addTraffic(sum, traffic), noTraffic)
  const used = apps.filter(({ memoryBytes }) => memoryBytes !== null)
  return [
    ...metric('strata_gateway_requests_total', 'counter', 'Requests to apps.', [
      ['', all.requests],
    ]),
    ...metric('strata_gateway_errors_total', 'counter', 'Responses with a status from 500 on.', [
      ['', all.errors],
    ]),
    ...metric(
      'strata_app_requests_total',
      'counter',
      'Requests of a branch.',
      apps.map((app) => [`{${labels(app)}}`, app.traffic.requests]),
    ),
    ...metric(
      'strata_app_errors_total',
      'counter',
      'Responses of a branch with a status from 500 on.',
      apps.map((app) => [`{${labels(app)}}`, app.traffic.errors]),
    ),
    ...metric(
      'strata_app_memory_bytes',
      'gauge',
      'Memory of a running app.',
      used.map((app) => [`{${labels(app)}}`, app.memoryBytes ?? 0]),
    ),
    ...metric(
      'strata_app_busy_processors',
      'gauge',
      'Average number of processors that a running app keeps busy.',
      used.map((app) => [`{${labels(app)}}`, app.cpu ?? 0]),
    ),
    '# HELP strata_app_latency_seconds Time until the head of a response, with the time for which a request was held.',
    '# TYPE strata_app_latency_seconds histogram',
    ...apps.flatMap((app) => histogram(labels(app), app.traffic)),
  ]
}

/** Escapes the value of a label. */
export function escaped(label: string): string {
  return label.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function histogram(label: string, { buckets, sumMs }: Traffic): string[] {
  let below = 0
  const lines = buckets.map((count, at) => {
    below += count
    const bound = latencyBounds[at]
    const le = bound === undefined ? '+Inf' : String(bound / 1000)
    return `strata_app_latency_seconds_bucket{${label},le="${le}"} ${below}`
  })
  return [
    ...lines,
    `strata_app_latency_seconds_sum{${label}} ${sumMs / 1000}`,
    `strata_app_latency_seconds_count{${label}} ${below}`,
  ]
}

function metric(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  samples: readonly (readonly [string, number])[],
): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => `${name}${labels} ${value}`),
  ]
}

/** The project id tells apart projects of one name. */
function labels({ project, projectId, branch }: App): string {
  return `project="${escaped(project)}",project_id="${projectId}",branch="${escaped(branch)}"`
}
