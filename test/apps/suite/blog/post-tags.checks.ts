import assert from 'node:assert/strict'
import { assertError, assertStatus, type JsonObject, objectOf } from '../answers.ts'
import type { AppUnderTest, Check } from '../check.ts'
import { jsonOf, type Reply } from '../http.ts'
import { create, find, list, post, put, remove, type Stored, update } from '../resource.ts'
import { register, unique } from './caller.ts'
import { posts, tags } from './resources.ts'

/** Checks of the tags of a post. */
export const postTagChecks: readonly Check[] = [
  {
    title: 'a post accepts tags by slug or as they were read, and shows whole tags',
    run: async (app) => {
      const { app: caller, id: author } = await register(app)
      const [one, two] = await twoTags(caller)
      for (const sent of [
        [one.slug, two.slug],
        [one, two],
        [two, one.slug],
      ]) {
        const made = await create(caller, posts, { tags: sent })
        assertTags(made, [one, two])
        assertTags(await find(app, posts, made.id), [one, two])
        assertTags((await list(app, posts, `author_id=${author}`)).records[0], [one, two])
      }
    },
  },
  {
    title: 'only the slug of a tag object counts',
    run: async (app) => {
      const { app: caller } = await register(app)
      const [one, two] = await twoTags(caller)
      const sent = [{ ...one, id: two.id, name: 'Renamed' }, { slug: two.slug }]
      const made = await create(caller, posts, { tags: sent })
      assertTags(made, [one, two])
      assert.deepEqual(await find(app, tags, one.id), one)
    },
  },
  {
    title: 'a tag that is named twice counts once',
    run: async (app) => {
      const { app: caller } = await register(app)
      const [one, two] = await twoTags(caller)
      const made = await create(caller, posts, { tags: [one.slug, one.slug, one, two.slug] })
      assertTags(made, [one, two])
      assertTags(await update(caller, posts, made.id, { tags: [two.slug, two] }), [two])
      assertTags(await find(app, posts, made.id), [two])
    },
  },
  {
    title: 'an update with tags replaces the tags, and an update without tags keeps them',
    run: async (app) => {
      const { app: caller } = await register(app)
      const [one, two] = await twoTags(caller)
      const { id } = await create(caller, posts, { tags: [one.slug] })
      assertTags(await update(caller, posts, id, { title: unique() }), [one])
      assertTags(await update(caller, posts, id, { tags: [two.slug] }), [two])
      assertTags(await update(caller, posts, id, { tags: [] }), [])
      assertTags(await find(app, posts, id), [])
    },
  },
  {
    title: 'an unknown slug answers 400, which names it, and changes nothing',
    run: async (app) => {
      const { app: caller, id: author } = await register(app)
      const [one, two] = await twoTags(caller)
      assertStatus(await remove(caller, tags, two.id), 204)
      const made = await create(caller, posts, { tags: [one.slug] })
      for (const slug of [two.slug, unique(), 'no such slug', one.name]) {
        for (const sent of [[slug], [one.slug, slug], [{ slug }], [{ ...one, slug }]]) {
          const body = { title: unique(), content: 'x', tags: sent }
          assertTagsFault(await post(caller, posts, body))
          assertTagsFault(await put(caller, posts, made.id, body))
        }
      }
      assert.deepEqual(await find(app, posts, made.id), made)
      assert.equal((await list(app, posts, `author_id=${author}`)).total, 1)
    },
  },
  {
    title: 'an invalid tag in a post answers 400, which names it',
    run: async (app) => {
      const { app: caller } = await register(app)
      const [one] = await twoTags(caller)
      const made = await create(caller, posts)
      for (const wrong of [null, 1, true, [], [one.slug], {}, { id: one.id }, { slug: 1 }, '']) {
        for (const sent of [[wrong], [one.slug, wrong]]) {
          assertTagsFault(await post(caller, posts, { title: unique(), tags: sent }))
          assertTagsFault(await put(caller, posts, made.id, { tags: sent }))
        }
      }
      assert.deepEqual(await find(app, posts, made.id), made)
    },
  },
  {
    title: 'thirty tags of one post and thirty posts of one tag are all stored',
    run: async (app) => {
      const { app: caller, id: author } = await register(app)
      const made = await Promise.all(Array.from({ length: 30 }, () => create(caller, tags)))
      const slugs = made.map(({ slug }) => slug)
      const [first = ''] = slugs
      const { id } = await create(caller, posts, { tags: slugs })
      assertTags(await find(app, posts, id), made)
      for (let turn = 1; turn < 30; turn += 1) await create(caller, posts, { tags: [first] })
      const query = `author_id=${author}&tag=${first}&page_size=50`
      const { records, total } = await list(app, posts, query)
      assert.deepEqual([records.length, total], [30, 30])
      assertTags(records.at(-1), made)
    },
  },
]

async function twoTags(caller: AppUnderTest): Promise<readonly [Stored, Stored]> {
  return [await create(caller, tags), await create(caller, tags)]
}

/** Throws unless the record has exactly these tags, in any order. */
function assertTags(record: JsonObject | undefined, expected: readonly Stored[]): void {
  assert.ok(Array.isArray(record?.tags), 'the post has no tags')
  const read = record.tags.map((each: unknown) => objectOf(each, 'a tag'))
  const byId = (one: JsonObject, two: JsonObject): number => Number(one.id) - Number(two.id)
  assert.deepEqual(read.sort(byId), [...expected].sort(byId))
}

/** Throws unless the response is a 400 that names `tags` or one index of it. */
function assertTagsFault(reply: Reply): void {
  assertError(reply, 400)
  const { details } = objectOf(jsonOf(reply), reply.call)
  assert.ok(Array.isArray(details) && details.length > 0, `${reply.call}: no details`)
  for (const detail of details) {
    const { path } = objectOf(detail, reply.call)
    assert.match(String(path), /^tags(\.\d+(\.slug)?)?$/, reply.call)
  }
}
