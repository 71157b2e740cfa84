import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { createOpenApi } from './openapi.ts'
import { pathOf } from './route.ts'
import { routes } from './route-table.ts'

const document = createOpenApi('1.2.3') as {
  paths: Record<string, Record<string, Record<string, unknown>>>
}

test('openapi.json is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(structuredClone(document))
  expect(result.errors).toBeUndefined()
  expect(result.valid).toBe(true)
})

test('openapi.json lists every route with its name and summary', () => {
  for (const route of routes) {
    expect(document.paths[pathOf(route)]?.[route.method.toLowerCase()]).toMatchObject({
      operationId: route.name,
      summary: route.summary,
    })
  }
})

test('openapi.json gives path and query parameters their parsed types', () => {
  expect(document.paths['/api/v1/audit']?.get?.parameters).toContainEqual({
    name: 'limit',
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 50 },
  })
  expect(document.paths['/api/v1/projects/{id}']?.get?.parameters).toEqual([
    { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
  ])
})

test('route names are unique, and each route parses every parameter of its path', () => {
  expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length)
  for (const route of routes) {
    const named = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const parsed = 'params' in route ? Object.keys(route.params.shape) : []
    expect({ path: route.path, named: parsed }).toEqual({ path: route.path, named })
  }
})
