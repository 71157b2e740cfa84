import { expect, test } from 'vitest'
import { createFeature, createModel, withFeature } from '../../generator/model/build.ts'
import { entityNames } from '../../generator/model/names.ts'
import { parseFieldArgs } from '../../generator/spec/field-list.ts'
import { storeOf } from '../../generator/stores/stores.ts'
import { checkOpenApi } from './openapi.ts'
import { schemaDrift, schemaPath } from './schema-drift.ts'

const book = createFeature({
  entity: entityNames('Book'),
  ...parseFieldArgs(['title:string:max=80', 'pages:uint:default=1', 'note:text:optional']),
})
const model = withFeature(
  createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: false }),
  book,
)

const properties = {
  title: { type: 'string', minLength: 1, maxLength: 80 },
  pages: { default: 1, type: 'integer', minimum: 0, maximum: 2_147_483_647 },
  note: { default: null, anyOf: [{ type: 'string' }, { type: 'null' }] },
}

function openApi(body: object) {
  const operation = { post: {}, get: {}, put: {}, delete: {} }
  const schemas = { Book: { properties }, CreateBookBody: { properties: body } }
  return {
    paths: { '/api/v1/books': operation, '/api/v1/books/{id}': operation },
    components: { schemas },
  }
}

test('accepts the bounds and defaults of the model', () => {
  expect(checkOpenApi(model, openApi(properties))).toEqual({ kind: 'passed' })
})

test('names another bound, with the command that takes it into the model', () => {
  const body = { ...properties, title: { type: 'string', minLength: 1, maxLength: 120 } }
  expect(checkOpenApi(model, openApi(body))).toEqual({
    kind: 'failed',
    details: [
      '/openapi.json: Book.title has maxLength 120, the model maxLength 80: restore it, or take it into the model with strata feature Book title:string:max=120 pages:uint:default=1 note:text:optional',
    ],
  })
})

test('names another default and a missing one', () => {
  const { default: _, ...pages } = properties.pages
  expect(checkOpenApi(model, openApi({ ...properties, pages }))).toMatchObject({
    details: [expect.stringContaining('Book.pages has no default, the model default 1: ')],
  })
  const changed = { ...properties, pages: { ...pages, default: 7 } }
  expect(checkOpenApi(model, openApi(changed))).toMatchObject({
    details: [expect.stringContaining('pages:uint:default=7')],
  })
})

test('names the served routes that the document does not describe', () => {
  const served = ['GET /api/v1/books/{id}', 'GET /docs', 'GET /openapi.json']
  const document = openApi(properties)
  expect(checkOpenApi(model, document, served)).toEqual({ kind: 'passed' })
  expect(checkOpenApi(model, document, [...served, 'PATCH /api/v1/books/{book}'])).toEqual({
    kind: 'passed',
    notes: ['yours: PATCH /api/v1/books/{book} is served, and /openapi.json does not describe it'],
  })
})

test('reports an answer that is not JSON', () => {
  expect(checkOpenApi(model, null)).toEqual({
    kind: 'failed',
    details: ['/openapi.json is not an OpenAPI document with paths and schemas'],
  })
})

test('accepts a schema with models, fields and attributes of your own', () => {
  const schema = emitted()
    .replace('@default(1)', '@default(1) @map("pages")')
    .replace('  title', '  isbn String?\n  title')
  expect(schemaDrift(model, `${schema}\nmodel Note {\n  id Int @id\n}\n`)).toEqual([])
})

test('names another default and another type in schema.prisma', () => {
  const schema = emitted()
    .replace('@default(1)', '@default(5)')
    .replace(/note( +)String\?/, 'note String')
  expect(schemaDrift(model, schema)).toEqual([
    expect.stringMatching(
      /^prisma\/schema\.prisma: Book\.pages has the default 5, the model the default 1: .* pages:uint:default=5 /,
    ),
    'prisma/schema.prisma: Book.note has the type String, the model String?',
  ])
})

function emitted(): string {
  return storeOf('sqlite').files(model)[schemaPath] ?? ''
}
