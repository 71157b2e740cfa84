import * as z from 'zod'
import { bearer, type Caller, register } from '../../apps/suite/blog/caller.ts'
import type { AppUnderTest } from '../../apps/suite/check.ts'
import { type Reply, send } from '../../apps/suite/http.ts'
import { type Plural, plurals } from './project.ts'
import { createRecords, type Records } from './records.ts'
import type { Step } from './steps.ts'

/** An answer in which ids are `<labels 2>` and times what they should be: that of two applications is the same. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** One application, and what it has made so far. */
export interface Player {
  readonly play: (step: Step) => Promise<Answer>
  /** Removes all that was made, and forgets it. Throws where something stays. */
  readonly clear: () => Promise<void>
}

const callers = ['Ada', 'Eve']

/** Those that hold others come first. */
const clearing = plurals.toReversed()

const listed = z.object({ id: z.number() })

const withId = z.looseObject({ id: z.number() })

/** Each request has others of these, and none is the store's. */
const passedOver = new Set([
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

  async function ask({ method, path, body, as }: Step): Promise<Reply> {
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

  function resolved({ path, body, ...rest }: Step): Step {
    const said = body === '<last>' ? (last.get(pluralOf(path)) ?? '{}') : body
    const sent = said === undefined ? {} : { body: records.resolve(said) }
    return { ...rest, path: records.resolve(path), ...sent }
  }

  /** What they made is known by the order of its ids. */
  async function atOnce(steps: readonly Step[]): Promise<Answer> {
    const replies = await Promise.all(steps.map((step) => ask(resolved(step))))
    const told = replies.flatMap(({ status, text }, at) => {
      const plural = pluralOf(steps[at]?.path ?? '')
      return text === '' || status >= 300
        ? []
        : [{ plural, status, record: withId.parse(JSON.parse(text)) }]
    })
    for (const { plural, status, record } of told.sort(byId)) {
      if (status === 201) records.made(plural, record)
      else records.unsure(plural, record)
    }
    const statuses = replies.map(({ status }) => status).sort((one, other) => one - other)
    return { status: statuses.at(-1) ?? 0, headers: {}, body: statuses }
  }

  async function clear(plural: Plural): Promise<void> {
    const by = { as: 0, body: '{"parent_id":null}' }
    for (let before = ''; ; ) {
      const { text } = await ask({ as: 0, method: 'GET', path: `${plural}?page_size=100` })
      if (text === before) throw new Error(`not all ${plural} can be deleted: ${text}`)
      before = text
      const { [plural]: left } = z
        .looseObject({ [plural]: z.array(listed) })
        .parse(JSON.parse(text))
      if (left?.length === 0 && text.includes('"total":0')) return
      for (const { id } of z.array(listed).parse(left)) {
        const path = `${plural}/${id}`
        let { status } = await ask({ as: 0, method: 'DELETE', path })
        if (status === 403) ({ status } = await ask({ as: 1, method: 'DELETE', path }))
        if (status === 409) await ask({ ...by, method: 'PUT', path })
        if (status === 204) ({ status } = await ask({ as: 0, method: 'GET', path }))
        if (status !== 404 && status !== 409) throw new Error(`${path} is there after its deletion`)
      }
    }
  }

  return {
    async play(step) {
      if (step.beside) return atOnce([step, ...step.beside])
      const { method, path } = step
      const plural = pluralOf(path)
      const reply = await ask(resolved(step))
      const isRead = method === 'GET' && reply.status === 200 && /[\d>]$/.test(path)
      if (isRead) last.set(plural, reply.text)
      return answerOf(reply, records, { method, plural })
    },

    async clear() {
      for (const plural of clearing) await clear(plural)
      records = createRecords({ users })
      last = new Map()
    },
  }
}

interface Told {
  readonly record: { readonly id: number }
}

function byId({ record: one }: Told, { record: other }: Told): number {
  return one.id - other.id
}

function pluralOf(path: string): Plural {
  const found = plurals.find(
    (plural) => path === plural || path.startsWith(`${plural}/`) || path.startsWith(`${plural}?`),
  )
  if (found === undefined) throw new Error(`${path} is no path of the project`)
  return found
}

function answerOf(
  reply: Reply,
  records: Records,
  about: { method: string; plural: Plural },
): Answer {
  const headers = Object.entries(reply.headers).filter(([name]) => !passedOver.has(name))
  return {
    status: reply.status,
    headers: Object.fromEntries(headers),
    body: bodyOf(reply, records, about),
  }
}

function bodyOf(
  { status, text }: Reply,
  records: Records,
  { method, plural }: { method: string; plural: Plural },
): unknown {
  if (text === '') return ''
  const body: unknown = JSON.parse(text)
  if (status >= 400) return records.named(body)
  if (method === 'POST') return records.made(plural, body)
  if (method === 'PUT') return records.changed(plural, body)
  return records.seen(plural, body)
}
