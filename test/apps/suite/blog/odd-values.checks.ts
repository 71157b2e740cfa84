import assert from 'node:assert/strict'
import { assertError, assertFaults, assertStatus } from '../answers.ts'
import type { Check } from '../check.ts'
import { send } from '../http.ts'
import { create, find, list, post, put, recordOf } from '../resource.ts'
import { login, register, unique } from './caller.ts'
import { comments, posts, tags } from './resources.ts'

/** Ids beyond every record, some beyond the integers of a store. */
const farIds = [
  ...['900000092', '2147483647', '2147483648', '4294967296', '9007199254740991'],
  ...['9007199254740993', '9223372036854775808', '9'.repeat(300)],
]

/** Texts that some stores cannot hold. */
const oddTexts = ['\u0000', 'a\u0000b', '\u0001\u001f', 'x'.repeat(5000), '🎉'.repeat(500)]

/** Invalid UTF-8 and invalid percent-encoding for a query. */
const oddBytes = ['%ff', '%ED%A0%BD', '%C0%80', '%', '%zz', '%E2%82']

/** Checks that unusual values never answer 5xx. */
export const oddValueChecks: readonly Check[] = [
  {
    title: 'a filter by an id beyond every record returns nothing or is rejected by name',
    run: async (app) => {
      const { app: caller } = await register(app)
      const { id: post_id } = await create(caller, posts)
      await create(caller, comments, { post_id })
      for (const [resource, name] of [
        [posts, 'author_id'],
        [comments, 'post_id'],
      ] as const) {
        for (const id of farIds) {
          const reply = await send(caller, { path: `${resource.path}?${name}=${id}` })
          if (reply.status === 200) assert.equal(JSON.parse(reply.text).total, 0, reply.call)
          else assertFaults(reply, [name], id)
        }
      }
    },
  },
  {
    title: 'a search or tag of unusual text finds nothing or is rejected by name',
    run: async (app) => {
      const { id: author, app: caller } = await register(app)
      await create(caller, posts)
      for (const name of ['search', 'tag']) {
        for (const text of [...oddTexts.map(encodeURIComponent), ...oddBytes]) {
          const path = `${posts.path}?author_id=${author}&${name}=${text}`
          const reply = await send(app, { path })
          if (reply.status !== 200) assertError(reply, 400)
          else assert.equal(JSON.parse(reply.text).total, 0, reply.call)
        }
      }
    },
  },
  {
    title: 'an unusual slug is stored unchanged or rejected by name, and is unknown on a post',
    run: async (app) => {
      const { app: caller } = await register(app)
      const made = await create(caller, posts)
      for (const text of [...oddTexts, '', ' ', 'a b', 'Ä/Ж', '../x', '%', 'a,b', '🎉']) {
        const slug = text === '' ? '' : `${text}${unique()}`
        const said = `with ${JSON.stringify(slug.slice(0, 30))}`
        assertError(await put(caller, posts, made.id, { tags: [slug] }), 400)
        const reply = await post(caller, tags, { name: unique(), slug })
        if (reply.status !== 201) {
          assertFaults(reply, ['slug'], said)
          continue
        }
        const tag = recordOf(tags, reply)
        assert.equal(tag.slug, slug, said)
        const tagged = await create(caller, posts, { tags: [slug] })
        assert.deepEqual(tagged.tags, [tag], said)
        const { total } = await list(app, posts, `tag=${encodeURIComponent(slug)}`)
        assert.equal(total, 1, said)
      }
      assert.deepEqual(await find(app, posts, made.id), made)
    },
  },
  {
    title: 'a login with unusual texts answers 401 or 400',
    run: async (app) => {
      const { email, password } = await register(app)
      for (const text of [...oddTexts, ' ', '\u0301', '\u200b']) {
        assertError(await login(app, { email: `${text}${email}`, password }), 401, 400)
        assertError(await login(app, { email: `${email}${text}`, password }), 401, 400)
        assertError(await login(app, { email, password: `${password}${text}` }), 401, 400)
      }
      assertStatus(await login(app, { email, password }), 200)
    },
  },
]
