import assert from 'node:assert/strict'
import { objectOf } from '../answers.ts'
import type { Check } from '../check.ts'
import {
  assertDocumented,
  assertFit,
  assertMisfit,
  bodySchema,
  parameterSchema,
} from '../documented.ts'
import { send } from '../http.ts'
import { type OpenApi, openApiOf } from '../openapi-document.ts'
import { loginPath, registerPath, registration } from './caller.ts'
import { samples } from './openapi-samples.ts'
import { comments, posts } from './resources.ts'

const openOperations = [
  ...[
    'GET /health',
    'GET /ready',
    'POST /api/v1/auth/register',
    'POST /api/v1/auth/login',
    'GET /api/v1/posts',
  ],
  ...['GET /api/v1/posts/{}', 'GET /api/v1/tags', 'GET /api/v1/tags/{}', 'GET /uploads/{}'],
  'GET /openapi.json',
]

/** Checks of the blog's own part of the OpenAPI document. */
export const blogOpenApiChecks: readonly Check[] = [
  {
    title: 'openapi.json requires a bearer token exactly for the protected routes',
    run: async (app) => {
      const api = await openApiOf(app)
      for (const { method, path, keys } of api.operations) {
        const route = `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`
        const asked = securityOf(api, keys)
        assert.equal(asked.length === 0, openOperations.includes(route), `${route}: security`)
        for (const name of asked) {
          const scheme = api.locate(['components', 'securitySchemes', name])
          const { type, scheme: word } = objectOf(scheme?.value, `the scheme ${name}`)
          assert.deepEqual([type, String(word).toLowerCase()], ['http', 'bearer'])
        }
      }
    },
  },
  {
    title: 'the bodies of registration and login are documented with their limits',
    run: async (app) => {
      const api = await openApiOf(app)
      const body = registration()
      const input = bodySchema(api, api.operation('POST', registerPath))
      assertFit(api, input, body, 'a registration')
      const { name, ...rest } = body
      for (const wrong of [rest, { ...body, name: 'A' }, { ...body, password: '1234567' }, {}]) {
        assertMisfit(api, input, wrong, JSON.stringify(wrong))
      }
      const login = bodySchema(api, api.operation('POST', loginPath))
      assertFit(api, login, { email: body.email, password: body.password }, 'a login')
      for (const wrong of [{ email: body.email }, { password: name }, { ...rest, password: 1 }]) {
        assertMisfit(api, login, wrong, JSON.stringify(wrong))
      }
    },
  },
  {
    title: 'the responses of the blog match their documented schemas',
    run: async (app) => {
      const api = await openApiOf(app)
      for (const [path, call, status] of await samples(app)) {
        const reply = await send({ baseUrl: app.baseUrl }, call)
        assert.equal(reply.status, status, reply.call)
        assertDocumented(api, api.operation(call.method ?? 'GET', path), reply)
      }
    },
  },
  {
    title: 'the filters of posts and comments are documented with their ranges',
    run: async (app) => {
      const api = await openApiOf(app)
      const listed = api.operation('GET', posts.path)
      const text = ['tag', 'search'].map((name) => parameterSchema(api, listed, name, 'query'))
      for (const schema of text) assertFit(api, schema, 'x', 'a text')
      const remarks = api.operation('GET', comments.path)
      const ids = [
        parameterSchema(api, listed, 'author_id', 'query'),
        parameterSchema(api, remarks, 'post_id', 'query'),
      ]
      for (const schema of ids) {
        assertFit(api, schema, 1, 'the id 1')
        for (const wrong of [0, -1, 1.5, 'x']) assertMisfit(api, schema, wrong, `the id ${wrong}`)
      }
      const published = parameterSchema(api, listed, 'published', 'query')
      const isWord = api.misfit(published, 'true') === undefined
      for (const is of [true, false]) {
        assertFit(api, published, isWord ? `${is}` : is, `published ${is}`)
      }
      for (const wrong of ['x', 1, null]) assertMisfit(api, published, wrong, `published ${wrong}`)
    },
  },
  {
    title: 'the form of an upload is documented with a file in the field image',
    run: async (app) => {
      const api = await openApiOf(app)
      const { keys } = api.operation('POST', '/api/v1/uploads')
      const path = [...keys, 'requestBody', 'content', 'multipart/form-data', 'schema']
      const { required, properties } = objectOf(api.locate(path)?.value, 'the form of an upload')
      assert.deepEqual(required, ['image'])
      assert.deepEqual(Object.keys(objectOf(properties, 'its fields')), ['image'])
    },
  },
]

function securityOf({ document, locate }: OpenApi, keys: readonly string[]): readonly string[] {
  const { value } = locate([...keys, 'security']) ?? { value: document.security ?? [] }
  assert.ok(Array.isArray(value), 'security is no array')
  return value.flatMap((each: unknown) => Object.keys(objectOf(each, 'security')))
}
