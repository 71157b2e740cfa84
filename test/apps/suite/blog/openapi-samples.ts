import type { JsonObject } from '../answers.ts'
import type { AppUnderTest } from '../check.ts'
import type { Call } from '../http.ts'
import { create } from '../resource.ts'
import { bearer, loginPath, register, registerPath, registration, unique } from './caller.ts'
import { imageForm } from './form.ts'
import { comments, posts, tags } from './resources.ts'

/** Requests of the blog's own routes, with the status of each response. */
export async function samples(
  app: AppUnderTest,
): Promise<readonly (readonly [string, Call, number])[]> {
  const [owner, other] = [await register(app), await register(app)]
  const { headers } = owner.app
  const [mine, theirs] = [{ headers: { ...headers } }, { headers: { ...other.app.headers } }]
  const draft = await create(owner.app, posts, { content: '', published: false })
  const full = await create(owner.app, posts)
  const { slug } = await create(owner.app, tags)
  const one = (path: string, id: number) => path.replace('{id}', `${id}`)
  const put = { method: 'PUT', json: { content: 'x' } }
  const [item, publish] = ['/api/v1/posts/{id}', '/api/v1/posts/{id}/publish']
  const { email, password } = owner
  const sample = (path: string, call: Omit<Call, 'path'>, status: number, id = 0) =>
    [path, { ...call, path: one(path, id) }, status] as const
  const posted = (path: string, json: JsonObject, status: number, as: Partial<Call> = {}) =>
    sample(path, { method: 'POST', json, ...as }, status)
  return [
    posted(registerPath, registration(), 201),
    posted(registerPath, {}, 400),
    posted(registerPath, { ...registration(), email }, 409),
    posted(loginPath, { email, password }, 200),
    posted(loginPath, { email, password: `${password}x` }, 401),
    posted(posts.path, { title: unique() }, 401),
    posted(posts.path, { title: unique(), published: true }, 422, mine),
    posted(posts.path, { title: unique(), tags: [unique()] }, 400, mine),
    sample(item, put, 401, full.id),
    sample(item, { ...put, ...theirs }, 403, full.id),
    sample(item, { ...put, json: { published: true }, ...mine }, 422, draft.id),
    sample(item, { method: 'DELETE', ...theirs }, 403, full.id),
    sample(publish, { method: 'POST' }, 401, full.id),
    sample(publish, { method: 'POST', ...theirs }, 403, full.id),
    sample(publish, { method: 'POST', ...mine }, 422, draft.id),
    sample(publish, { method: 'POST', ...mine }, 200, full.id),
    sample(publish, { method: 'POST', ...mine }, 404, 900_000_095),
    posted(comments.path, { post_id: 900_000_095, content: 'x' }, 404, mine),
    posted(comments.path, { post_id: full.id, content: 'x' }, 201, mine),
    sample(item, {}, 200, full.id),
    sample(comments.path, { headers: bearer('x') }, 401),
    posted(tags.path, { name: 'Other', slug }, 409, mine),
    posted('/api/v1/uploads', {}, 401),
    posted('/api/v1/uploads', {}, 400, mine),
    uploadSample(headers),
    ['/uploads/{name}', { path: '/uploads/x.png' }, 404],
  ]
}

function uploadSample(caller: AppUnderTest['headers']) {
  const { headers, body } = imageForm('a.png')
  const path = '/api/v1/uploads'
  const call = { method: 'POST', path, headers: { ...caller, ...headers }, body }
  return [path, call, 200] as const
}
