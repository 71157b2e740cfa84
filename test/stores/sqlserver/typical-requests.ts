import { register, unique } from '../../apps/suite/blog/caller.ts'
import { comments, posts, tags } from '../../apps/suite/blog/resources.ts'
import type { AppUnderTest } from '../../apps/suite/check.ts'
import { type Call, send } from '../../apps/suite/http.ts'
import { create } from '../../apps/suite/resource.ts'
import type { AppName } from '../../apps/suite/suites.ts'
import { users } from '../../apps/suite/users.ts'

/** Runs a request and records the statements sent meanwhile under a title. */
export type Record = <Result>(title: string, run: () => Promise<Result>) => Promise<Result>

type Requests = (app: AppUnderTest, record: Record) => Promise<void>

/** Sends requests that together use every kind of store access, one after another. */
export const typicalRequests: { readonly [Name in AppName]: Requests } = { user, blog }

async function user(app: AppUnderTest, record: Record): Promise<void> {
  const { id } = await record('create a user', () => create(app, users))
  const ask = (call: Call) => asked(app, record, call)
  await ask({ path: `${users.path}/${id}` })
  await ask({ path: users.path })
  await ask({ method: 'PUT', path: `${users.path}/${id}`, json: { age: 2 } })
  await ask({ method: 'DELETE', path: `${users.path}/${id}` })
  await ask({ method: 'DELETE', path: `${users.path}/${id}` })
}

async function blog(app: AppUnderTest, record: Record): Promise<void> {
  const { app: caller, email, password } = await record('register', () => register(app))
  const ask = (call: Call) => asked(caller, record, call)
  await ask({ method: 'POST', path: '/api/v1/auth/login', json: { email, password } })
  const first = await record('create a tag', () => create(caller, tags, { slug: unique() }))
  const second = await create(caller, tags, { slug: unique() })
  await ask({ method: 'POST', path: tags.path, json: { name: 'N', slug: second.slug } })
  const slugs = [first.slug, second.slug]
  const json = { title: 'T', content: 'C', published: true, tags: slugs }
  const { id } = await record('create a post with two tags', () => create(caller, posts, json))
  await ask({ path: `${posts.path}/${id}` })
  const changes = { title: 'U', tags: [second.slug] }
  await ask({ method: 'PUT', path: `${posts.path}/${id}`, json: changes })
  await record('create a comment', () => create(caller, comments, { post_id: id, content: 'C' }))
  await ask({ method: 'POST', path: comments.path, json: { post_id: 999, content: 'C' } })
  await ask({ method: 'DELETE', path: `${posts.path}/${id}` })
}

async function asked(app: AppUnderTest, record: Record, call: Call): Promise<void> {
  await record(`${call.method ?? 'GET'} ${call.path}`, () => send(app, call))
}
