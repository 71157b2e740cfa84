import type { BootedApp } from '../../support/apps/boot.ts'
import { createPlayer, type Player } from './player.ts'
import type { Step } from './steps.ts'
import { type Exchange, isSame, tell } from './told.ts'

/** Two applications that should answer the same. */
export interface Pair {
  /** Throws what was asked and answered where they do not, or where not all can be removed again. */
  readonly compare: (steps: readonly Step[]) => Promise<readonly Exchange[]>
  readonly stop: () => Promise<void>
}

/** One of two applications: what messages call it, and what starts it on an empty store. */
export interface Side {
  readonly name: string
  readonly boot: () => Promise<BootedApp>
}

/** Where not all can be removed again, they start anew on empty stores. */
export function createPair(one: Side, other: Side): Pair {
  const names = [one.name, other.name] as const
  let apps: readonly BootedApp[] = []
  let players: readonly [Player, Player] | undefined

  async function start(): Promise<readonly [Player, Player]> {
    const [first, second] = await Promise.all([one.boot(), other.boot()])
    apps = [first, second]
    return [await createPlayer(first), await createPlayer(second)]
  }

  async function stop(): Promise<void> {
    players = undefined
    await Promise.all(apps.map((app) => app.stop()))
    apps = []
  }

  /** Up to the first that they answer otherwise. */
  async function play(steps: readonly Step[]): Promise<readonly Exchange[]> {
    players ??= await start()
    const [first, second] = players
    const exchanges: Exchange[] = []
    for (const step of steps) {
      const answers = await Promise.all([first.play(step), second.play(step)])
      exchanges.push({ step, answers })
      if (!isSame({ step, answers })) break
    }
    return exchanges
  }

  /** Why what was made could not be removed, or ''. */
  async function clear(): Promise<string> {
    const results = await Promise.allSettled((players ?? []).map((player) => player.clear()))
    const failures = results.map((result, at) =>
      result.status === 'rejected' ? `then ${names[at]}: ${result.reason}` : '',
    )
    return failures.join('\n').trim()
  }

  return {
    async compare(steps) {
      const exchanges = await play(steps)
      const left = await clear()
      if (left !== '') await stop()
      if (left === '' && exchanges.every(isSame)) return exchanges
      throw new Error(`${tell(exchanges, names)}\n${left}`.trimEnd())
    },
    stop,
  }
}
