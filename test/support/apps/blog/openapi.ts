import type { Is, Json } from './exchange.ts'
import { schemas } from './openapi-schemas.ts'

/** The reference blog's OpenAPI document. */
export function blogDocument(is: Is): Json {
  const id = { name: 'id', in: 'path', required: true, schema: positive }
  const paths = {
    '/health': { get: { responses: { 200: answer({ type: 'object' }) } } },
    '/ready': { get: { responses: { 200: answer({ type: 'object' }) } } },
    '/openapi.json': { get: { responses: { 200: answer({ type: 'object' }) } } },
    '/api/v1/auth/register': {
      post: { ...body('RegisterInput'), responses: { 201: ref('AuthResponse'), ...problems(is) } },
    },
    '/api/v1/auth/login': {
      post: { ...body('LoginInput'), responses: { 200: ref('AuthResponse'), ...problems(is) } },
    },
    '/api/v1/auth/me': {
      get: { ...security(is), responses: { 200: ref('Me'), ...problems(is) } },
      delete: { ...security(is), ...body('DeleteMeInput'), responses: nothing(is) },
    },
    '/api/v1/auth/password': {
      post: {
        ...security(is),
        ...body('PasswordInput'),
        responses: { 200: ref('AuthResponse'), ...problems(is) },
      },
    },
    '/api/v1/auth/logout': { post: { ...security(is), responses: nothing(is) } },
    '/api/v1/auth/logout-all': { post: { ...security(is), responses: nothing(is) } },
    '/api/v1/posts': collection(is, 'Post', is('openapi-no-filters') ? [] : postFilters, false),
    '/api/v1/posts/{id}': { parameters: [id], ...item(is, 'Post', 'PostDetails', false) },
    '/api/v1/posts/{id}/publish': {
      parameters: [id],
      post: { ...security(is), responses: { 200: ref('Post'), ...problems(is) } },
    },
    '/api/v1/comments': collection(is, 'Comment', [query('post_id', positive)], true),
    '/api/v1/comments/{id}': { parameters: [id], ...item(is, 'Comment', 'Comment', true) },
    '/api/v1/tags': collection(is, 'Tag', [], false),
    '/api/v1/tags/{id}': { parameters: [id], ...item(is, 'Tag', 'Tag', false) },
    '/api/v1/uploads': { post: { ...security(is), ...form(is), responses: uploaded(is) } },
    '/uploads/{name}': {
      parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        responses: {
          200: { description: 'The image', content: { 'image/png': {} } },
          ...problems(is),
        },
      },
    },
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Blog', version: '1.0.0' },
    paths,
    components: {
      schemas: schemas(is),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  }
}

const positive = { type: 'integer', minimum: 1 }
const text = { type: 'string' }
const number = { type: 'integer' }

const postFilters = [
  query('published', { type: 'boolean' }),
  query('author_id', positive),
  query('tag', text),
  query('search', text),
  ...['', '[gte]', '[gt]', '[lte]', '[lt]'].map((suffix) => query(`views${suffix}`, number)),
]

function collection(is: Is, name: string, filters: readonly Json[], isClosed: boolean): Json {
  const parameters = [
    query('page', positive),
    query('page_size', { ...positive, maximum: 100 }),
    query('sort', text),
    query('cursor', text),
    ...filters,
  ]
  return {
    get: {
      ...(isClosed ? security(is) : {}),
      parameters,
      responses: { 200: ref(`${name}Page`), ...problems(is) },
    },
    post: {
      ...security(is),
      ...body(`${name}Input`),
      responses: { 201: ref(name), ...problems(is) },
    },
  }
}

function item(is: Is, name: string, details: string, isClosed: boolean): Json {
  const change = {
    ...security(is),
    ...body(`${name}Changes`),
    responses: { 200: ref(name), ...problems(is) },
  }
  return {
    get: {
      ...(isClosed ? security(is) : {}),
      responses: { 200: ref(details), ...problems(is) },
    },
    put: change,
    patch: change,
    delete: { ...security(is), responses: nothing(is) },
  }
}

function nothing(is: Is): Json {
  return { 204: { description: 'Done' }, ...problems(is) }
}

function security(is: Is): Json {
  return is('openapi-no-security') ? {} : { security: [{ bearer: [] }] }
}

function problems(is: Is): Json {
  const codes = [400, 401, 403, 404, 409, 413, 415]
  const all = is('openapi-no-422') ? codes : [...codes, 422, 500]
  return Object.fromEntries(all.map((code) => [code, ref('Problem')]))
}

function uploaded(is: Is): Json {
  const properties = { success: { const: true }, url: text }
  return {
    200: answer({ type: 'object', required: ['success', 'url'], properties }),
    ...problems(is),
  }
}

function form(is: Is): Json {
  const image = { type: 'string', contentMediaType: 'application/octet-stream' }
  const required = is('openapi-form-loose') ? [] : ['image']
  const schema = { type: 'object', required, properties: { image } }
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } }
}

function query(name: string, schema: Json): Json {
  return { name, in: 'query', schema }
}

function ref(name: string): Json {
  return answer({ $ref: `#/components/schemas/${name}` })
}

function answer(schema: Json): Json {
  return { description: 'An answer', content: { 'application/json': { schema } } }
}

function body(name: string): Json {
  const schema = { $ref: `#/components/schemas/${name}` }
  return { requestBody: { required: true, content: { 'application/json': { schema } } } }
}
