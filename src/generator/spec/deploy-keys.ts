/** The keys of `deploy` in `strata.json`. The daemon reads their values, and refuses other keys, too. */
export const deployKeys = [
  'root',
  'build',
  'start',
  'static',
  'dockerfile',
  'health',
  'health_timeout',
  'port',
  'memory_mb',
  'cpus',
  'pids',
  'env',
  'read_only',
  'store',
  'keep_releases',
  'processes',
] as const
