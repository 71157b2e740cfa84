import type { Environment } from './records.ts'

/** Returns the newest environment of a commit whose release is not pruned. */
export function keptRelease(
  successful: readonly Environment[],
  commitSha: string,
): Environment | undefined {
  return successful.find(
    (one) => one.commitSha === commitSha && one.release !== null && one.launch !== null,
  )
}

/**
 * Returns the releases to remove: those of successful deploys (newest first) beyond the newest `keep`, except releases
 * in use.
 */
export function releasesToPrune(
  successful: readonly Environment[],
  keep: number,
  inUse: ReadonlySet<string>,
): string[] {
  const releases = [...new Set(successful.flatMap(({ release }) => (release ? [release] : [])))]
  return releases.slice(Math.max(1, keep)).filter((release) => !inUse.has(release))
}
