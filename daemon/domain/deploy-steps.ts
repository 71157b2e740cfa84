/** Steps of a deploy in order. A deploy skips `fetch`, `checkout` and `build` if a kept release provides the result. */
export const deploySteps = [
  'fetch',
  'checkout',
  'admit',
  'database',
  'build',
  'start',
  'await-healthy',
  'switch-route',
  'drain',
  'stop-old',
  'prune',
] as const
export type DeployStep = (typeof deploySteps)[number]
