import * as z from 'zod/mini'
import type { Feature, Model } from '../../generator/model/model.ts'
import { openApiDrift } from './openapi-drift.ts'
import { type Outcome, outcomeOf } from './outcome.ts'

const operations = z.record(z.string(), z.unknown())
const schema = z.object({ properties: z.optional(z.record(z.string(), z.unknown())) })
const document = z.object({
  paths: z.record(z.string(), operations),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

const methods = { list: ['get', 'post'], one: ['get', 'put', 'delete'] }

/** Routes that describe or measure the app, and need no description. */
const aboutTheApp = ['GET /openapi.json', 'GET /docs', 'GET /metrics']

/**
 * Checks that the app's OpenAPI document has the routes and the fields of every feature, with the model's bounds and defaults.
 * Names the `served` routes that the document does not describe.
 */
export function checkOpenApi(
  { features }: Model,
  answer: unknown,
  served: readonly string[] = [],
): Outcome {
  const read = document.safeParse(answer)
  if (!read.success)
    return outcomeOf(['/openapi.json is not an OpenAPI document with paths and schemas'])
  const outcome = outcomeOf(features.flatMap((feature) => findFaults(feature, read.data)))
  const notes = undescribed(served, read.data.paths).map(
    (route) => `yours: ${route} is served, and /openapi.json does not describe it`,
  )
  return outcome.kind === 'passed' && notes.length > 0 ? { ...outcome, notes } : outcome
}

function undescribed(
  served: readonly string[],
  paths: z.infer<typeof document>['paths'],
): readonly string[] {
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => anyNames(`${method.toUpperCase()} ${path}`)),
  )
  const known = new Set([...described, ...aboutTheApp])
  return served.filter((route) => !known.has(anyNames(route)))
}

/** Drops the names of path parameters, which may differ between code and document. */
function anyNames(route: string): string {
  return route.replace(/\{\w+\}/g, '{}')
}

function findFaults(feature: Feature, { paths, components }: z.infer<typeof document>): string[] {
  const { plural, pascal } = feature.entity
  const list = `/api/v1/${plural.kebab}`
  const routes = [
    ...methods.list.map((method) => [method, list] as const),
    ...methods.one.map((method) => [method, `${list}/{id}`] as const),
  ]
  const missing = routes.filter(([method, path]) => paths[path]?.[method] === undefined)
  const record = schema.safeParse(components.schemas[pascal])
  const known = Object.keys((record.success && record.data.properties) || {})
  const fields = feature.fields.map(({ name }) => name).filter((name) => !known.includes(name))
  return [
    ...missing.map(([method, path]) => `/openapi.json has no ${method.toUpperCase()} ${path}`),
    ...fields.map((name) => `/openapi.json has no ${pascal}.${name}`),
    ...openApiDrift(feature, components.schemas),
  ]
}
