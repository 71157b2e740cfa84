import express, { type Request, type RequestHandler } from 'express'
import type * as z from 'zod'
import { AppError, type Fault } from '../domain/app-error.js'
import { type CamelKeys, camelKeys } from './camel-keys.js'

/** The greatest id of every store: ids are signed 32-bit integers. */
const maxId = 2 ** 31 - 1

const parseJson = express.json({ limit: '1mb', strict: false })

/** Parses a JSON body. Only routes that expect a body use this handler. */
export const jsonBody: RequestHandler = (req, res, next) => {
  if (req.is('application/json') === false) {
    res.status(415).json({ error: 'the body must be application/json' })
    return
  }
  parseJson(req, res, next)
}

/** Parses a body to camelCase keys. Ignores the keys of `readOnly`. Throws AppError `invalid`. */
export function parseBody<S extends z.ZodObject>(
  schema: S,
  readOnly: readonly string[],
  { body }: Request,
): CamelKeys<z.output<S>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('invalid', 'the body must be a JSON object')
  }
  const sent = Object.entries(body).filter(([key]) => !readOnly.includes(key))
  return camelKeys(parse(schema, Object.fromEntries(sent)))
}

/** Parses a body like `parseBody`. Also throws AppError `invalid` if the body changes no field. */
export function parseChanges<S extends z.ZodObject>(
  schema: S,
  readOnly: readonly string[],
  req: Request,
): CamelKeys<z.output<S>> {
  const changes = parseBody(schema, readOnly, req)
  if (Object.keys(changes).length === 0) {
    throw new AppError('invalid', 'give at least one field to change')
  }
  return changes
}

/** Parses the id in the path. Throws AppError `invalid` if it is malformed, `not-found` if it exceeds `maxId`. */
export function parseId({ params }: Request<{ id: string }>): number {
  if (!/^[1-9]\d*$/.test(params.id)) {
    throw new AppError('invalid', 'the id must be a positive whole number')
  }
  const id = Number(params.id)
  if (id > maxId) throw new AppError('not-found', 'no record has this id')
  return id
}

/** Parses a value with `schema`. Throws AppError `invalid`, which names every invalid field or parameter. */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value, { error: faultMessage })
  if (result.success) return result.data
  throw new AppError('invalid', 'validation failed', { details: toFaults(result.error.issues) })
}

/** Says more than zod about fields that are missing, and about names. */
function faultMessage({ code, input }: z.core.$ZodRawIssue): string | undefined {
  if (code === 'unrecognized_keys') return 'is not known'
  return code === 'invalid_type' && input === undefined ? 'is required' : undefined
}

/** Keeps the last fault of each path: zod checks a field's own bounds after the bounds of its type. */
function toFaults(issues: readonly z.core.$ZodIssue[]): Fault[] {
  const faults = issues.flatMap((issue) => {
    const paths =
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => [...issue.path, key])
        : [issue.path]
    return paths.map((path) => ({ path: path.join('.'), message: issue.message }))
  })
  return [...new Map(faults.map((fault) => [fault.path, fault])).values()]
}
