import * as z from 'zod'
import type { Json } from './openapi.js'

/** The parts that documents of routes are made of. */
export function answer(description: string, schema: Json): Json {
  return { description, content: { 'application/json': { schema } } }
}

export function failure(description: string): Json {
  return answer(description, reference('error'))
}

export function reference(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` }
}

/** For a route behind requireCaller. */
export const bearer = {
  security: [{ bearerAuth: [] }],
  failures: { 401: failure('No token, or one that is not valid') },
}

/** The wire form of a schema: what goes in, before any transform. */
export function jsonSchema(schema: z.ZodType): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return rest
}
