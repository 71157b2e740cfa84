import type { BootedApp } from '../../support/apps/boot.ts'
import { type Exchange, formatExchanges, isSame } from './exchange.ts'
import { createPlayer, type Player } from './player.ts'
import type { Step } from './steps.ts'

/** Two applications that must give the same answers. */
export interface Pair {
  /**
   * Sends requests to both applications. Throws the requests and answers if answers differ or a
   * record cannot be deleted afterwards.
   */
  readonly compare: (steps: readonly Step[]) => Promise<readonly Exchange[]>
  readonly stop: () => Promise<void>
}

/** One of the two applications: its name in messages, and the function that starts it on an empty store. */
export interface Side {
  readonly name: string
  readonly boot: () => Promise<BootedApp>
}

/** Creates a pair. Both applications restart on empty stores if a record cannot be deleted after a sequence. */
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

  /** Sends requests until an answer differs. */
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

  /** Deletes all created records. Returns the reason if a record cannot be deleted, else ''. */
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
      throw new Error(`${formatExchanges(exchanges, names)}\n${left}`.trimEnd())
    },
    stop,
  }
}
