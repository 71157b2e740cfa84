import assert from 'node:assert/strict'
import { assertError, assertFaults, assertStatus } from '../answers.ts'
import type { Check } from '../check.ts'
import { create, find, list, post, put, recordOf, remove, update } from '../resource.ts'
import { register, unique } from './caller.ts'
import { posts, tags } from './resources.ts'

/** Checks of tags and their slugs. */
export const tagChecks: readonly Check[] = [
  {
    title: 'a missing slug is generated from the name',
    run: async (app) => {
      const { app: caller } = await register(app)
      for (const [before, after] of [
        ['Hello World', 'hello-world'],
        ['  Node.js & Express!  ', 'node-js-express'],
        ['UPPER_case', 'upper-case'],
      ]) {
        const word = unique()
        const tag = await create(caller, tags, { name: `#${word} ${before}`, slug: undefined })
        assert.equal(tag.slug, `${word}-${after}`)
        assert.equal((await find(app, tags, tag.id)).name, `#${word} ${before}`)
      }
    },
  },
  {
    title: 'a name without usable characters gets a slug or is rejected',
    run: async (app) => {
      const { app: caller } = await register(app)
      for (const name of ['!!!', '日本語', '🎉', '-', ' . ']) {
        const reply = await post(caller, tags, { name })
        if (reply.status !== 201) {
          assertError(reply, 400, 409, 422)
          continue
        }
        const { id, slug } = recordOf(tags, reply)
        assert.ok(typeof slug === 'string' && slug.trim() !== '', `the slug of ${name} is empty`)
        assertStatus(await remove(caller, tags, id), 204)
      }
    },
  },
  {
    title: 'a slug made from a name can be sent back',
    run: async (app) => {
      const { app: caller } = await register(app)
      for (const rest of [
        'हिन्दी',
        'Tiếng Việt',
        'İ'.repeat(200),
        '𝒷'.repeat(120),
        // Longer in lower case. The limit is in the middle of a 𝒷 of one of the two.
        `${'İ'.repeat(40)}${'𝒷'.repeat(90)}`,
        `a${'İ'.repeat(40)}${'𝒷'.repeat(90)}`,
        'ß'.repeat(200),
      ]) {
        const tag = await create(caller, tags, { name: `${unique()} ${rest}`, slug: undefined })
        assert.ok(String(tag.slug).length <= 255, `${String(tag.slug).length} characters`)
        assert.doesNotMatch(String(tag.slug), /[\p{Surrogate}\uFFFD]/u)
        const { slug } = await update(caller, tags, tag.id, { slug: tag.slug })
        assert.equal(slug, tag.slug)
      }
    },
  },
  {
    title: 'letters of a generated slug keep their combining marks',
    run: async (app) => {
      const { app: caller } = await register(app)
      const word = unique()
      const tag = await create(caller, tags, { name: `${word} हिन्दी`, slug: undefined })
      const [first, ...others] = String(tag.slug).split('-')
      assert.equal(first, word)
      assert.ok(others.length < 2, `the word is divided: ${tag.slug}`)
    },
  },
  {
    title: 'a slug in the body is stored and stays when the name changes',
    run: async (app) => {
      const { app: caller } = await register(app)
      const slug = `own-${unique()}`
      const tag = await create(caller, tags, { name: 'Another name', slug })
      assert.equal(tag.slug, slug)
      const renamed = await update(caller, tags, tag.id, { name: 'Renamed' })
      assert.deepEqual([renamed.name, renamed.slug], ['Renamed', slug])
      assert.equal((await find(app, tags, tag.id)).slug, slug)
    },
  },
  {
    title: 'a duplicate slug, sent or generated, answers 409 and creates nothing',
    run: async (app) => {
      const { app: caller } = await register(app)
      const word = unique()
      const tag = await create(caller, tags, { name: `Tag ${word}`, slug: undefined })
      const slug = `tag-${word}`
      assertError(await post(caller, tags, { name: 'Other', slug }), 409)
      for (const name of [`Tag ${word}`, `tag ${word}`, `TAG  ${word}!`, `tag-${word}`]) {
        assertError(await post(caller, tags, { name }), 409)
      }
      assert.deepEqual(await find(app, tags, tag.id), tag)
    },
  },
  {
    title: 'slugs that differ in case, accent or space are different slugs',
    run: async (app) => {
      const { app: caller } = await register(app)
      const word = unique()
      const ends = [
        'resume',
        'RESUME',
        'résumé',
        're\u0301sume\u0301',
        'strasse',
        'straße',
        'x',
        'x ',
      ]
      for (const end of ends) {
        const slug = `${word}-${end}`
        const said = `with ${JSON.stringify(slug)}`
        const reply = await post(caller, tags, { name: end, slug })
        if (reply.status !== 201) {
          assertFaults(reply, ['slug'], said)
          continue
        }
        const { id } = await create(caller, posts, { tags: [slug] })
        const { records } = await list(app, posts, `tag=${encodeURIComponent(slug)}`)
        assert.deepEqual([records.length, records[0]?.id], [1, id], said)
        assert.deepEqual(records[0]?.tags, [recordOf(tags, reply)], said)
      }
    },
  },
  {
    title: 'an update to a duplicate slug answers 409, and to the own slug succeeds',
    run: async (app) => {
      const { app: caller } = await register(app)
      const [one, two] = [await create(caller, tags), await create(caller, tags)]
      const taken = { name: 'Renamed', slug: one.slug }
      assertError(await put(caller, tags, two.id, taken), 409)
      assert.deepEqual(await find(app, tags, two.id), two)
      const kept = await update(caller, tags, two.id, { name: 'Renamed', slug: two.slug })
      assert.deepEqual([kept.name, kept.slug], ['Renamed', two.slug])
    },
  },
  {
    title: 'exactly one of fifty concurrent creates of one slug succeeds',
    run: async (app) => {
      const { app: caller } = await register(app)
      const word = unique()
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, turn) => {
          const slug = turn % 2 === 0 ? `tag-${word}` : undefined
          return post(caller, tags, { name: `Tag ${word}`, slug })
        }),
      )
      const made = replies.filter(({ status }) => status === 201)
      assert.equal(made.length, 1, `${made.length} of them answered 201`)
      for (const reply of replies) if (reply.status !== 201) assertError(reply, 409)
    },
  },
  {
    title: 'the slug of a deleted tag can be used again',
    run: async (app) => {
      const { app: caller } = await register(app)
      const tag = await create(caller, tags)
      assertStatus(await remove(caller, tags, tag.id), 204)
      const { name, slug } = tag
      assert.notEqual((await create(caller, tags, { name, slug })).id, tag.id)
    },
  },
  {
    title: 'deleting a tag removes it from its posts and keeps the posts',
    run: async (app) => {
      const { app: caller } = await register(app)
      const [gone, kept] = [await create(caller, tags), await create(caller, tags)]
      const both = await create(caller, posts, { tags: [gone.slug, kept.slug] })
      const only = await create(caller, posts, { tags: [gone.slug] })
      assertStatus(await remove(caller, tags, gone.id), 204)
      assert.deepEqual((await find(app, posts, both.id)).tags, [kept])
      assert.deepEqual((await find(app, posts, only.id)).tags, [])
      const again = await create(caller, tags, { name: gone.name, slug: gone.slug })
      assert.deepEqual((await find(app, posts, only.id)).tags, [], `${again.slug} came back`)
    },
  },
  {
    title: 'a renamed tag is renamed on its posts',
    run: async (app) => {
      const { app: caller, id: author } = await register(app)
      const tag = await create(caller, tags)
      const { id } = await create(caller, posts, { tags: [tag.slug] })
      const listed = async () => (await list(app, posts, `author_id=${author}`)).records[0]?.tags
      assert.deepEqual(await listed(), [tag])
      const renamed = await update(caller, tags, tag.id, { name: unique(), slug: unique() })
      assert.deepEqual((await find(app, posts, id)).tags, [renamed])
      assert.deepEqual(await listed(), [renamed])
    },
  },
]
