import express, { type Request, type RequestHandler } from 'express'
import type * as z from 'zod'
import { AppError, type Fault } from '../domain/app-error.js'
import { type CamelKeys, camelKeys } from './camel-keys.js'
import { faultMessage } from './fault-message.js'

/** The greatest id a store hands out: a signed 32-bit integer. */
const maxId = 2 ** 31 - 1

const parseJson = express.json({ limit: '1mb', strict: false })

/** Reads a JSON body; stands on the routes that expect one and no others. */
export const jsonBody: RequestHandler = (req, res, next) => {
  if (req.is('application/json') === false) {
    res.status(415).json({ error: 'the body must be application/json' })
    return
  }
  parseJson(req, res, next)
}

/**
 * The body as `schema` gives it, with camelCase keys. The keys of `readOnly` are dropped first, so that a
 * record can be sent back as it was read. Throws AppError `invalid`, which names every fault.
 */
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

/** Like parseBody, for a body of changes: at least one. */
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

/** The query as `schema` gives it; a parameter it does not know is passed over. Throws AppError `invalid`. */
export function parseQuery<S extends z.ZodType>(schema: S, { query }: Request): z.output<S> {
  return parse(schema, query)
}

/** The id in a path. Throws AppError `invalid` for what is no id, `not-found` for one that no record can have. */
export function parseId({ params }: Request<{ id: string }>): number {
  if (!/^[1-9]\d*$/.test(params.id)) {
    throw new AppError('invalid', 'the id must be a positive whole number')
  }
  const id = Number(params.id)
  if (id > maxId) throw new AppError('not-found', 'no record has this id')
  return id
}

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value, { error: faultMessage })
  if (result.success) return result.data
  throw new AppError('invalid', 'validation failed', { details: toFaults(result.error.issues) })
}

/** One fault a path: the last, as the narrower bound is checked after the type's own. */
function toFaults(issues: readonly z.core.$ZodIssue[]): Fault[] {
  const faults = new Map<string, Fault>()
  for (const issue of issues) {
    for (const path of pathsOf(issue)) faults.set(path, { path, message: issue.message })
  }
  return [...faults.values()]
}

function pathsOf(issue: z.core.$ZodIssue): string[] {
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : undefined
  const paths = keys?.map((key) => [...issue.path, key]) ?? [issue.path]
  return paths.map((path) => path.join('.'))
}
