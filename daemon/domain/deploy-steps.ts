/** Steps of a deploy in order. A deploy skips `fetch`, `checkout` and `build` if their result exists already. */
export const deploySteps = [
  'fetch',
  'checkout',
  'admit',
  'build',
  'start',
  'await-healthy',
  'switch-route',
  'drain',
  'stop-old',
  'prune',
] as const
export type DeployStep = (typeof deploySteps)[number]
