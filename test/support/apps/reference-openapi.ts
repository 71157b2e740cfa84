import type { MutantName } from './reference-mutants.ts'
import type { Json } from './reference-validation.ts'

/** The reference's OpenAPI document. */
export function referenceDocument(is: (name: MutantName) => boolean): Json {
  const age = { type: is('openapi-wrong-type') ? 'string' : 'integer' }
  const text = { type: 'string' }
  const values = { name: text, email: text, age: { type: 'integer' } }
  const pageSize = {
    type: 'integer',
    minimum: 1,
    ...(is('openapi-no-range') ? {} : { maximum: 100 }),
  }
  const parameters = [
    { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1 } },
    { name: 'page_size', in: 'query', schema: pageSize },
    { name: 'sort', in: 'query', schema: text },
    { name: 'cursor', in: 'query', schema: text },
    ...['', '[gte]', '[gt]', '[lte]', '[lt]'].map((suffix) => ({
      name: `age${suffix}`,
      in: 'query',
      schema: { type: 'integer' },
    })),
  ]
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }
  const user = reference('User')
  const page = {
    type: 'object',
    required: ['users', 'total', 'page', 'page_size', 'next_cursor'],
    properties: {
      users: { type: 'array', items: user },
      ...{ total: { type: 'integer' }, page: { type: 'integer' }, page_size: { type: 'integer' } },
      next_cursor: { type: ['string', 'null'] },
    },
  }
  const required = is('openapi-loose-body') ? [] : ['name', 'email', 'age']
  const created = { requestBody: body({ type: 'object', required, properties: values }) }
  const changed = { requestBody: body({ type: 'object', minProperties: 1, properties: values }) }
  const problems = problemsOf(is('openapi-misses-status') ? ['400', '404'] : ['4XX'])
  const gone = { 204: { description: 'Deleted' }, ...problems }
  const ghost = { '/api/v1/ghosts': { get: { responses: { 200: answer('Ghosts', {}) } } } }
  return {
    openapi: is('openapi-3.0') ? '3.0.3' : '3.1.0',
    info: { title: 'Users', ...(is('openapi-invalid') ? {} : { version: '1.0.0' }) },
    paths: {
      '/health': { get: { responses: { 200: answer('Alive', { type: 'object' }) } } },
      '/ready': { get: { responses: { 200: answer('Ready', { type: 'object' }) } } },
      '/api/v1/users': {
        get: { parameters, responses: { 200: answer('A page', page), ...problems } },
        post: { ...created, responses: { 201: answer('Created', user), ...problems } },
      },
      '/api/v1/users/{id}': {
        parameters: [id],
        get: { responses: { 200: answer('A user', user), ...problems } },
        ...(is('openapi-misses-put')
          ? {}
          : { put: { ...changed, responses: { 200: answer('Updated', user), ...problems } } }),
        patch: { ...changed, responses: { 200: answer('Updated', user), ...problems } },
        delete: { responses: gone },
      },
      ...(is('openapi-ghost') ? ghost : {}),
    },
    components: {
      schemas: {
        User: {
          type: 'object',
          required: is('openapi-loose-answer')
            ? ['id']
            : ['id', 'name', 'email', 'age', 'created_at', 'updated_at'],
          properties: {
            id: { type: 'integer' },
            name: text,
            email: text,
            age,
            created_at: text,
            updated_at: text,
          },
        },
        Problem: { type: 'object', required: ['error'], properties: { error: text } },
      },
    },
  }
}

function problemsOf(statuses: readonly string[]): Json {
  const refused = answer('Refused', reference('Problem'))
  return Object.fromEntries(statuses.map((status) => [status, refused]))
}

function reference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

function answer(description: string, schema: Json): Json {
  return { description, content: { 'application/json': { schema } } }
}

function body(schema: Json): Json {
  return { required: true, content: { 'application/json': { schema } } }
}
