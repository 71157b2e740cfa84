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

/** Checks that the app's OpenAPI document has the routes and the fields of every feature, with the model's bounds and defaults. */
export function checkOpenApi({ features }: Model, answer: unknown): Outcome {
  const read = document.safeParse(answer)
  if (!read.success)
    return outcomeOf(['/openapi.json is not an OpenAPI document with paths and schemas'])
  return outcomeOf(features.flatMap((feature) => findFaults(feature, read.data)))
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
