import type { BranchTotals, Stats } from '../app/ground/use-cases.ts'
import { appMetrics, escaped } from './app-metrics.ts'

/**
 * Counts requests since the daemon's start by method, route and status. The route table bounds the number of counters.
 */
export interface RequestCounts {
  add(method: string, route: string, status: number): void
  entries(): Iterable<{ labels: string; count: number }>
}

export function createRequestCounts(): RequestCounts {
  const counts = new Map<string, number>()
  return {
    add(method, route, status) {
      const labels = `method="${method}",route="${route}",status="${status}"`
      counts.set(labels, (counts.get(labels) ?? 0) + 1)
    },
    *entries() {
      for (const [labels, count] of counts) yield { labels, count }
    },
  }
}

/** Renders the metrics in the Prometheus text format, version 0.0.4. */
export function metricsText(
  stats: Stats,
  counts: RequestCounts,
  apps: readonly (BranchTotals & { readonly project: string })[],
): string {
  const memory = process.memoryUsage.rss()
  return [
    ...gauge('strata_projects', 'Registered projects.', [['', stats.projects]]),
    ...gauge(
      'strata_environments',
      'Environments by state; each deploy creates one.',
      Object.entries(stats.environments).map(([state, count]) => [`{state="${state}"}`, count]),
    ),
    ...gauge('strata_queue_length', 'Deploys that are waiting or running.', [
      ['', stats.queueLength],
    ]),
    ...gauge(
      'strata_node_environments_live',
      'Live environments of a node.',
      stats.nodes.map((node) => [`{node="${escaped(node.name)}"}`, node.environmentsLive]),
    ),
    ...gauge(
      'strata_node_committed_memory_bytes',
      'Memory reserved for the running apps of a node.',
      stats.nodes.map((node) => [
        `{node="${escaped(node.name)}"}`,
        node.committedMemoryMb * 2 ** 20,
      ]),
    ),
    ...gauge('process_resident_memory_bytes', 'Resident memory of the daemon.', [['', memory]]),
    '# HELP strata_http_requests_total HTTP responses by method, route and status.',
    '# TYPE strata_http_requests_total counter',
    ...[...counts.entries()].map(
      ({ labels, count }) => `strata_http_requests_total{${labels}} ${count}`,
    ),
    ...appMetrics(apps),
    '',
  ].join('\n')
}

function gauge(name: string, help: string, samples: readonly (readonly [string, number])[]) {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...samples.map(([labels, value]) => `${name}${labels} ${value}`),
  ]
}
