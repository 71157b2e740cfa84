/** The keys of `deploy` in `strata.json`. The daemon reads their values, and refuses other keys, too. */
export const deployKeys = [
  'root',
  'build',
  'start',
  'health',
  'health_timeout',
  'port',
  'memory_mb',
  'cpus',
  'pids',
  'env',
  'keep_releases',
] as const
