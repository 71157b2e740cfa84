import { maskSecrets } from '../../domain/mask-secrets.ts'
import type { Environment, Sealed } from '../../domain/records.ts'
import type { Clock, LogLine, Store, Vault } from '../../ports.ts'

/** Masks the current secret values of an environment in its log lines. */
export type LogMask = (line: LogLine) => Promise<LogLine>

/** A log stream sees a secret that was set meanwhile after this time. */
const refreshMs = 5_000

/** Returns a function that creates the mask of an environment: its secrets of all scopes, the passwords
 * of its databases, and its git token. */
export function createLogMasks({
  store,
  vault,
  clock,
}: {
  store: Pick<Store, 'secrets' | 'projects' | 'branchDatabases'>
  vault: Pick<Vault, 'open'>
  clock: Pick<Clock, 'now'>
}): (environment: Pick<Environment, 'projectId' | 'branch'>) => LogMask {
  async function valuesOf({ projectId, branch }: Pick<Environment, 'projectId' | 'branch'>) {
    const secrets = await store.secrets.listFor(projectId, branch)
    const project = await store.projects.find(projectId)
    const hidden = secrets.filter(({ isReadable }) => !isReadable)
    const databases = await store.branchDatabases.list({ projectId, branch })
    const sealed = [
      ...hidden.map(({ value }) => value),
      ...databases.map(({ password }) => password),
      project?.gitToken ?? [],
    ].flat()
    return sealed.flatMap(openOrSkip)
  }

  /** Logs stay readable if a value does not fit the key. */
  function openOrSkip(value: Sealed): string[] {
    try {
      return [vault.open(value).reveal()]
    } catch {
      return []
    }
  }

  return (environment) => {
    let values: Promise<readonly string[]> = Promise.resolve([])
    let readAt = Number.NEGATIVE_INFINITY
    return async (line) => {
      if (clock.now() - readAt >= refreshMs) {
        readAt = clock.now()
        values = valuesOf(environment)
      }
      return { ...line, line: maskSecrets(line.line, await values) }
    }
  }
}
