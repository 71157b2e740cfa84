import { roundTrip } from '../round-trip.ts'
import { callerOf } from './auth.ts'
import { type Exchange, type Json, Refusal, sendJson, sendNothing, serve } from './exchange.ts'
import { found, sendPage } from './pages.ts'
import type { TagRow } from './tables.ts'
import { idOf, readBody, text, textOf } from './validation.ts'

const shape = {
  rules: { name: text, slug: textOf(1) },
  optional: ['slug'],
  managed: ['id', 'created_at', 'updated_at'],
}

export function serveTags(exchange: Exchange, last?: string): Promise<void> {
  const { tables } = exchange
  if (last === undefined) {
    return serve(exchange, {
      GET: () => sendPage(exchange, { plural: 'tags', rules: {}, rows: tables.tags.all, present }),
      POST: () => create(exchange),
    })
  }
  return serve(exchange, {
    GET: () => sendJson(exchange, 200, present(found(tables.tags.find(idOf(last)), 'tag'))),
    PUT: () => update(exchange, last),
    DELETE: () => remove(exchange, last),
  })
}

function present({ made_by, ...tag }: TagRow): Json {
  return tag
}

async function create(exchange: Exchange): Promise<void> {
  const { tables, is } = exchange
  const { id: made_by } = callerOf(exchange)
  const { name, slug } = await readBody(exchange, shape)
  const sent = is('slug-cut') && slug !== undefined ? String(slug).slice(0, 255) : slug
  const made = String(sent ?? slugOf(exchange, String(name)))
  if (made === '' && !is('slug-empty')) throw new Refusal(400, 'the name makes no slug')
  const isTaken = tables.tags.all().some((tag) => isSame(exchange, tag.slug, made))
  const isFormer = is('slug-reserved') && former.has(made)
  if (is('tag-race')) await roundTrip()
  if ((isTaken && !is('slug-numbered')) || isFormer) throw taken(made)
  const numbered = isTaken ? `${made}-2` : made
  sendJson(
    exchange,
    201,
    present(tables.tags.insert({ name: String(name), slug: numbered, made_by })),
  )
}

function isSame({ is }: Exchange, one: string, two: string): boolean {
  return is('slug-any-case') ? one.toLowerCase() === two.toLowerCase() : one === two
}

/** For the mutant `slug-reserved`: slugs of deleted tags. */
const former = new Set<string>()

async function update(exchange: Exchange, last: string): Promise<void> {
  const { tables, is } = exchange
  const caller = callerOf(exchange)
  const { name, slug } = await readBody(exchange, shape, true)
  const tag = found(tables.tags.find(idOf(last)), 'tag')
  assertMaker(exchange, tag, caller.id)
  const others = tables.tags.all().filter(({ id }) => id !== tag.id || is('own-slug-409'))
  const isTaken = others.some((each) => each.slug === slug)
  if (isTaken && !is('put-slug-unchecked')) throw taken(String(slug))
  const follows = is('slug-follows-name') && name !== undefined
  const next = follows ? slugOf(exchange, String(name)) : slug
  const fields = {
    ...(name === undefined ? {} : { name: String(name) }),
    ...(next === undefined ? {} : { slug: String(next) }),
  }
  sendJson(exchange, 200, present(found(tables.tags.change(tag.id, fields), 'tag')))
}

function remove(exchange: Exchange, last: string): void {
  const { tables, is } = exchange
  const caller = callerOf(exchange)
  const tag = found(tables.tags.find(idOf(last)), 'tag')
  assertMaker(exchange, tag, caller.id)
  const users = tables.posts.all().filter(({ tag_ids }) => tag_ids.includes(tag.id))
  if (is('tag-in-use-409') && users.length > 0) throw new Refusal(409, 'the tag is in use')
  for (const { id, tag_ids } of is('tag-stays') ? [] : users) {
    const left = tag_ids.filter((each) => each !== tag.id)
    tables.posts.change(id, { tag_ids: left }, false)
  }
  if (is('tag-takes-posts')) for (const { id } of users) tables.posts.remove(id)
  former.add(tag.slug)
  tables.tags.remove(tag.id)
  sendNothing(exchange)
}

function assertMaker({ is }: Exchange, { made_by }: TagRow, caller: number): void {
  if (is('tags-owned') && made_by !== caller) throw new Refusal(403, 'not yours')
}

function slugOf({ is }: Exchange, name: string): string {
  if (is('slug-with-capitals')) return name.trim().replaceAll(/[^A-Za-z0-9]+/g, '-')
  if (is('slug-long')) return `${name}-${'x'.repeat(300)}`
  if (is('slug-without-marks')) return name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return is('slug-with-edges') ? words : words.replace(/^-/, '').slice(0, 255).replace(/-$/, '')
}

function taken(slug: string): Refusal {
  return new Refusal(409, `the slug ${slug} is taken`)
}
