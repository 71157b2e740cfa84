import * as z from 'zod'
import { bearer, type Caller, register } from '../../apps/suite/blog/caller.ts'
import type { AppUnderTest } from '../../apps/suite/check.ts'
import { type Reply, send } from '../../apps/suite/http.ts'
import { type Plural, plurals } from './project.ts'
import { createRecords, type Records } from './records.ts'
import type { Step } from './steps.ts'

/** An answer with ids replaced by placeholders such as `<labels 2>` and with checked times, so that answers compare. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** Sends requests to one application and tracks the records it created. */
export interface Player {
  readonly play: (step: Step) => Promise<Answer>
  /** Deletes and forgets all created records. Throws if a record remains. */
  readonly clear: () => Promise<void>
}

const callers = ['Ada', 'Eve']

/** Deletion order: records that reference others first. */
const clearing = plurals.toReversed()

const listed = z.object({ id: z.number() })

const withId = z.looseObject({ id: z.number() })

/** Headers that differ between requests and do not depend on the store. */
const ignoredHeaders = new Set([
  'date',
  'etag',
  'content-length',
  'x-request-id',
  'connection',
  'keep-alive',
])

/** Registers two callers. */
export async function createPlayer(app: AppUnderTest): Promise<Player> {
  const registered: Caller[] = []
  for (const name of callers) registered.push(await register(app, { name }))
  const users = registered.map(({ id }) => id)
  let records = createRecords({ users })
  let last = new Map<string, string>()
  let cursors = new Map<string, string>()

  async function request({ method, path, body, as }: Step): Promise<Reply> {
    const caller = as === undefined ? undefined : registered[as]
    const headers = {
      ...(caller && bearer(caller.token)),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    }
    return send(app, {
      method,
      path: `/api/v1/${path}`,
      headers,
      ...(body !== undefined && { body }),
    })
  }

  function withIds({ path, body, ...rest }: Step): Step {
    const said = body === '<last>' ? (last.get(pluralOf(path)) ?? '{}') : body
    const sent = said === undefined ? {} : { body: records.resolve(said) }
    const cursor = cursors.get(pluralOf(path)) ?? 'none'
    return { ...rest, path: records.resolve(path).replaceAll('<cursor>', cursor), ...sent }
  }

  /** Sends requests concurrently. Assigns placeholders to created records in the order of their ids. */
  async function playConcurrently(steps: readonly Step[]): Promise<Answer> {
    const replies = await Promise.all(steps.map((step) => request(withIds(step))))
    const told = replies.flatMap(({ status, text }, at) => {
      const plural = pluralOf(steps[at]?.path ?? '')
      return text === '' || status >= 300
        ? []
        : [{ plural, status, record: withId.parse(JSON.parse(text)) }]
    })
    for (const { plural, status, record } of told.sort(byId)) {
      if (status === 201) records.recordCreated(plural, record)
      else records.forgetUpdateTime(plural, record)
    }
    const statuses = replies.map(({ status }) => status).sort((one, other) => one - other)
    return { status: statuses.at(-1) ?? 0, headers: {}, body: statuses }
  }

  async function clear(plural: Plural): Promise<void> {
    const by = { as: 0, body: '{"parent_id":null}' }
    for (let before = ''; ; ) {
      const { text } = await request({ as: 0, method: 'GET', path: `${plural}?page_size=100` })
      if (text === before) throw new Error(`not all ${plural} can be deleted: ${text}`)
      before = text
      const { [plural]: left } = z
        .looseObject({ [plural]: z.array(listed) })
        .parse(JSON.parse(text))
      if (left?.length === 0 && text.includes('"total":0')) return
      for (const { id } of z.array(listed).parse(left)) {
        const path = `${plural}/${id}`
        let { status } = await request({ as: 0, method: 'DELETE', path })
        if (status === 403) ({ status } = await request({ as: 1, method: 'DELETE', path }))
        if (status === 409) await request({ ...by, method: 'PUT', path })
        if (status === 204) ({ status } = await request({ as: 0, method: 'GET', path }))
        if (status !== 404 && status !== 409)
          throw new Error(`${path} still exists after its deletion`)
      }
    }
  }

  return {
    async play(step) {
      if (step.concurrent) return playConcurrently([step, ...step.concurrent])
      const { method, path } = step
      const plural = pluralOf(path)
      const reply = await request(withIds(step))
      const isRead = method === 'GET' && reply.status === 200 && /[\d>]$/.test(path)
      if (isRead) last.set(plural, reply.text)
      const cursor = /"next_cursor":"([^"]+)"/.exec(reply.text)?.[1]
      if (cursor !== undefined) cursors.set(plural, cursor)
      return answerOf(reply, records, { method, plural })
    },

    async clear() {
      for (const plural of clearing) await clear(plural)
      records = createRecords({ users })
      last = new Map()
      cursors = new Map()
    },
  }
}

interface Acknowledged {
  readonly record: { readonly id: number }
}

function byId({ record: one }: Acknowledged, { record: other }: Acknowledged): number {
  return one.id - other.id
}

function pluralOf(path: string): Plural {
  const found = plurals.find(
    (plural) => path === plural || path.startsWith(`${plural}/`) || path.startsWith(`${plural}?`),
  )
  if (found === undefined) throw new Error(`${path} is not a path of the project`)
  return found
}

function answerOf(
  reply: Reply,
  records: Records,
  about: { method: string; plural: Plural },
): Answer {
  // The body comes first: the headers of an answer to POST name the created record.
  const body = bodyOf(reply, records, about)
  const headers = Object.entries(reply.headers)
    .filter(([name]) => !ignoredHeaders.has(name))
    .map(([name, value]) => [
      name,
      name === 'location' ? placeOf(value, records, about.plural) : value,
    ])
  return { status: reply.status, headers: Object.fromEntries(headers), body }
}

/** Returns the path of a created record with a placeholder for its id. */
function placeOf(path: unknown, records: Records, plural: Plural): string {
  const [, parent, id] = /^(.*\/)(\d+)$/.exec(String(path)) ?? []
  return `${parent}${records.normalize(plural, Number(id))}`
}

function bodyOf(
  { status, text }: Reply,
  records: Records,
  { method, plural }: { method: string; plural: Plural },
): unknown {
  if (text === '') return ''
  const body: unknown = JSON.parse(text)
  if (status >= 400) return records.normalizeError(body)
  if (method === 'POST') return records.recordCreated(plural, body)
  if (method === 'PUT' || method === 'PATCH') return records.recordUpdated(plural, body)
  return records.normalize(plural, body)
}
