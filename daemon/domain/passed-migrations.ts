import type { Environment } from './records.ts'

/**
 * Returns the migrations that have run on the data of a branch and that a commit does not contain, sorted. `successful`
 * are the deploys of the branch. Returns none if the daemon does not know the migrations of the commit.
 */
export function passedMigrations(
  successful: readonly Pick<Environment, 'commitSha' | 'launch'>[],
  commitSha: string,
): readonly string[] {
  const target = successful.find((row) => row.commitSha === commitSha)
  if (target?.launch?.migrations === undefined) return []
  const known = new Set(target.launch.migrations)
  const applied = successful.flatMap(({ launch }) => launch?.migrations ?? [])
  return [...new Set(applied)].filter((name) => !known.has(name)).sort()
}
