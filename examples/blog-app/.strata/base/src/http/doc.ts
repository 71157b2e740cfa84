import * as z from 'zod'
import type { Json } from './openapi.js'

/** A JSON response. */
export function answer(description: string, schema: Json): Json {
  return { description, content: { 'application/json': { schema } } }
}

/** An error response. */
export function failure(description: string): Json {
  return answer(description, reference('error'))
}

export function reference(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` }
}

/** Parts of an operation that needs a token. */
export const bearer = {
  security: [{ bearerAuth: [] }],
  failures: { 401: failure('Missing or invalid token') },
}

/** Returns the JSON Schema of a zod schema's input, before any transform. */
export function jsonSchema(schema: z.ZodType): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return rest
}
