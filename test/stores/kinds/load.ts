import { setTimeout as pause } from 'node:timers/promises'
import { posts, tags } from '../../apps/suite/blog/resources.ts'
import type { AppUnderTest } from '../../apps/suite/check.ts'
import type { Reply } from '../../apps/suite/http.ts'
import {
  freshBody,
  post,
  put,
  type Resource,
  recordOf,
  remove,
  type Stored,
} from '../../apps/suite/resource.ts'
import { eventually } from '../../support/apps/eventually.ts'

/** Concurrent clients that write to the blog until stopped. */
export interface Load {
  /** Waits until the clients have received `count` more such answers. Throws after a minute. */
  readonly sees: (answer: RegExp, count?: number) => Promise<void>
  /** Stops the writers and waits for the requests in flight. */
  readonly stop: () => Promise<Acknowledged>
}

/** The writes that the application has acknowledged. */
export interface Acknowledged {
  readonly kept: readonly { readonly resource: Resource; readonly record: Stored }[]
  /** Ids of deleted tags. */
  readonly gone: readonly number[]
  /** All distinct answers: `201`, `503 {"error":"…"}`, `no answer: …`. */
  readonly answers: readonly string[]
}

const callers = 4
const answeredWithinMs = 60_000

/** How long a client waits before it retries after an error. */
const retryMs = 20

/** Starts writing with the credential of `app`. */
export function startLoad(app: AppUnderTest): Load {
  const counts = new Map<string, number>()
  const kept = new Map<string, { resource: Resource; record: Stored }>()
  const gone: number[] = []
  let isOver = false

  async function answered(request: Promise<Reply>): Promise<Reply | undefined> {
    const reply = await request.catch((error: Error) => `no answer: ${error.message}`)
    const answer = typeof reply === 'string' ? reply : said(reply)
    counts.set(answer, (counts.get(answer) ?? 0) + 1)
    if (typeof reply !== 'string' && reply.status < 300) return reply
    await pause(retryMs)
    return undefined
  }
  async function create(resource: Resource, body: object = {}): Promise<Stored | undefined> {
    const reply = await answered(post(app, resource, { ...freshBody(resource), ...body }))
    if (reply === undefined) return undefined
    const record = recordOf(resource, reply)
    kept.set(keyOf(resource, record), { resource, record })
    return record
  }
  /** The record is unknown while an update is in flight: either version may be stored. */
  async function update(resource: Resource, before: Stored, body: object): Promise<void> {
    kept.delete(keyOf(resource, before))
    const reply = await answered(put(app, resource, before.id, body))
    if (reply === undefined) return
    const record = recordOf(resource, reply)
    kept.set(keyOf(resource, record), { resource, record })
  }
  async function destroy(resource: Resource, record: Stored): Promise<void> {
    kept.delete(keyOf(resource, record))
    if (await answered(remove(app, resource, record.id))) gone.push(record.id)
  }
  async function write(): Promise<void> {
    while (!isOver) {
      const tag = await create(tags)
      const doomed = await create(tags)
      if (doomed !== undefined) await destroy(tags, doomed)
      const made = tag && (await create(posts, { tags: [tag.slug] }))
      if (made !== undefined) await update(posts, made, { title: 'Changed', tags: [] })
    }
  }

  const writing = Promise.all(Array.from({ length: callers }, write))
  const countOf = (answer: RegExp) =>
    [...counts].reduce((sum, [text, count]) => (answer.test(text) ? sum + count : sum), 0)
  return {
    async sees(answer, count = 1) {
      const before = countOf(answer)
      const isSeen = await eventually(() => countOf(answer) >= before + count, answeredWithinMs)
      if (isSeen) return
      isOver = true
      throw new Error(`no ${answer} came, but ${JSON.stringify(Object.fromEntries(counts))}`)
    },
    async stop() {
      isOver = true
      await writing
      return { kept: [...kept.values()], gone, answers: [...counts.keys()].sort() }
    },
  }
}

function said({ status, text }: Reply): string {
  return status < 300 ? `${status}` : `${status} ${text}`
}

function keyOf({ plural }: Resource, { id }: Stored): string {
  return `${plural} ${id}`
}
