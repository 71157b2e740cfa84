import { DaemonError } from '../errors.ts'
import type { Engine } from './engine.ts'
import { hasStatus } from './engine-error.ts'
import { transfer } from './transfer.ts'

const totalMs = 30 * 60_000
const firstByteMs = 60_000

/** Returns true if the engine has an image. */
export async function hasImage(engine: Engine, image: string): Promise<boolean> {
  try {
    await engine.call({ path: `/images/${image}/json` })
    return true
  } catch (error) {
    if (hasStatus(error, 404)) return false
    throw error
  }
}

/** Streams an image from one engine to another, without a copy of it in between. */
export async function carryImage(image: string, from: Engine, to: Engine): Promise<void> {
  await transfer(
    `the image ${image} from ${from.name} to ${to.name}`,
    (signal) => from.stream({ path: `/images/${image}/get`, signal, timeoutMs: firstByteMs }),
    async (file, signal) => {
      const call = { method: 'POST', path: '/images/load', query: { quiet: true } } as const
      await requireLoaded(await to.stream({ ...call, file, signal, timeoutMs: totalMs }))
    },
  )
}

const maxAnswer = 1 << 20

/** Reads the answer of a load. Its status is 200 even if the load failed. */
async function requireLoaded(answer: AsyncIterable<Buffer>): Promise<void> {
  let text = ''
  for await (const chunk of answer) text = (text + chunk).slice(-maxAnswer)
  const failed = /"error":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  if (failed !== undefined) throw new DaemonError('transient', `can't load the image: ${failed}`)
}
