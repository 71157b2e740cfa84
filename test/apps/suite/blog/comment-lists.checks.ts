import assert from 'node:assert/strict'
import { assertFaults } from '../answers.ts'
import type { Check } from '../check.ts'
import { send } from '../http.ts'
import { create, list } from '../resource.ts'
import { register } from './caller.ts'
import { comments, posts } from './resources.ts'

/** Checks of the list of comments and its filter. */
export const commentListChecks: readonly Check[] = [
  {
    title: 'post_id filters the list of comments, with its total and pages',
    run: async (app) => {
      const { app: caller } = await register(app)
      const [one, two] = [await create(caller, posts), await create(caller, posts)]
      const made: number[] = []
      for (let turn = 0; turn < 5; turn += 1) {
        made.unshift((await create(caller, comments, { post_id: one.id })).id)
      }
      await create(caller, comments, { post_id: two.id })
      const query = `post_id=${one.id}`
      const { records, total } = await list(caller, comments, query)
      assert.deepEqual([records.map(({ id }) => id), total], [made, 5])
      const last = await list(caller, comments, `${query}&page=3&page_size=2`)
      assert.deepEqual([last.records.map(({ id }) => id), last.total], [made.slice(4), 5])
      assert.ok((await list(caller, comments)).total >= 6, 'without post_id not all are counted')
      const none = await list(caller, comments, 'post_id=900000082')
      assert.deepEqual(none, { records: [], total: 0 })
    },
  },
  {
    title: 'an invalid or repeated post_id answers 400, which names it',
    run: async (app) => {
      const { app: caller } = await register(app)
      for (const value of ['abc', '0', '-1', '1.5', '', '1abc']) {
        const path = `/api/v1/comments?post_id=${value}`
        assertFaults(await send(caller, { path }), ['post_id'])
      }
      const twice = '/api/v1/comments?post_id=1&post_id=2'
      assertFaults(await send(caller, { path: twice }), ['post_id'])
    },
  },
]
