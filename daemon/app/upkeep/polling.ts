import { createHash } from 'node:crypto'
import type { Clock, Logger } from '../../ports.ts'
import type { PolledRepository, PollHeads } from '../requests/poll-heads.ts'

/** Polls each repository once in an interval, spread over the interval. */
export interface Polling {
  start(): void
  stop(): void
}

/** Maximum number of remotes that are asked at the same time. */
const parallelPolls = 4
/** Maximum time between two polls of a remote that fails. */
const maxPauseMs = 3_600_000

interface Failure {
  readonly count: number
  /** Monotonic time of the next poll. */
  readonly until: number
}

/** `intervalMs: null` turns polling off. `seed` differs between daemons, so that they ask one remote at different times. */
export function createPolling(deps: {
  pollHeads: PollHeads
  clock: Clock
  logger: Logger
  intervalMs: number | null
  seed: string
}): Polling {
  const { pollHeads, clock, logger, intervalMs, seed } = deps
  const stopped = new AbortController()
  const { signal } = stopped
  const failures = new Map<string, Failure>()
  const running = new Map<string, Promise<void>>()

  async function round(interval: number): Promise<void> {
    const begun = clock.monotonic()
    const repositories = await pollHeads.repositories()
    const turns = repositories
      .map((repository) => ({ repository, offset: offsetOf(repository.key, seed, interval) }))
      .sort((a, b) => a.offset - b.offset)
    for (const { repository, offset } of turns) {
      await waitUntil(begun + offset)
      if (running.size >= parallelPolls) await Promise.race(running.values())
      begin(repository, interval)
    }
    const known = new Set(repositories.map(({ key }) => key))
    for (const key of failures.keys()) if (!known.has(key)) failures.delete(key)
    await waitUntil(begun + interval)
  }

  async function waitUntil(time: number): Promise<void> {
    await clock.wait(Math.max(0, time - clock.monotonic()), signal)
  }

  function begin(repository: PolledRepository, interval: number): void {
    const { key } = repository
    const isPausing = (failures.get(key)?.until ?? 0) > clock.monotonic()
    if (signal.aborted || isPausing || running.has(key)) return
    const work = pollHeads
      .poll(repository, signal)
      .then(
        () => void failures.delete(key),
        (err) => noteFailure(repository, interval, err),
      )
      .finally(() => running.delete(key))
    running.set(key, work)
  }

  function noteFailure({ key, projectIds }: PolledRepository, interval: number, err: unknown) {
    if (signal.aborted) return
    const count = (failures.get(key)?.count ?? 0) + 1
    const pauseMs = Math.max(interval, Math.min(maxPauseMs, interval * 2 ** count))
    failures.set(key, { count, until: clock.monotonic() + pauseMs - interval / 2 })
    logger.warn({ err, projectIds, pauseMs }, 'could not poll the heads of a repository')
  }

  async function loop(interval: number): Promise<void> {
    while (!signal.aborted) {
      try {
        await round(interval)
      } catch (err) {
        if (signal.aborted) return
        logger.error({ err }, 'could not poll the repositories: trying again')
        await clock.wait(interval, signal).catch(() => undefined)
      }
    }
  }

  return {
    start() {
      if (intervalMs !== null) void loop(intervalMs)
    },
    stop: () => stopped.abort(),
  }
}

/** Returns a time in the interval that is stable for a repository. */
function offsetOf(key: string, seed: string, interval: number): number {
  const hash = createHash('sha256').update(`${seed}\n${key}`).digest()
  return Math.floor((hash.readUInt32BE() / 2 ** 32) * interval)
}
