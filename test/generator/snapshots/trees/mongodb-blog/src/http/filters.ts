import * as z from 'zod'
import type { ValueRange } from '../domain/value-range.js'
import { text, unsigned } from './fields.js'

/** An optional query parameter with the id of a record. */
export function recordId() {
  return singleValue()
    .regex(/^[1-9]\d*$/, 'must be a positive whole number')
    .transform(Number)
    .pipe(unsigned({ min: 1 }))
    .optional()
}

/** An optional query parameter with text. */
export function phrase() {
  return singleValue().pipe(text()).optional()
}

const operators = ['gte', 'gt', 'lte', 'lt'] as const

type Comparison<Name extends string> = `${Name}[${(typeof operators)[number]}]`

/** Optional query parameters that compare a field: `name` for equality, `name[gte]`, `[gt]`, `[lte]` and `[lt]`. */
export function range<Name extends string, Value>(
  name: Name,
  schema: z.ZodType<Value, string | number>,
) {
  const parameter = singleValue()
    .pipe(schema as z.ZodType<Value, string>)
    .optional()
  const names = [name, ...operators.map((operator) => `${name}[${operator}]`)]
  return Object.fromEntries(names.map((each) => [each, parameter])) as Record<
    Name | Comparison<Name>,
    typeof parameter
  >
}

/** A parsed query with one property for each field: the parameters that compare a field become a ValueRange. */
export type WithRanges<Query> = {
  [Name in keyof Query as FieldOf<Name>]: FilterIn<Query, Name & string, Query[Name]>
}

type FieldOf<Name> = Exclude<Name, Comparison<string>>

type FilterIn<Query, Name extends string, Value> = `${Name}[gte]` extends keyof Query
  ? ValueRange<NonNullable<Value>> | undefined
  : Value

/** Gathers the parameters that compare a field in a ValueRange. `shape` has all parameters of the list. */
export function withRanges<Query extends object>(query: Query, shape: object): WithRanges<Query> {
  const result = new Map<string, unknown>()
  for (const [parameter, value] of Object.entries(query)) {
    const [name = '', operator = 'equals'] = parameter.split(/[[\]]/)
    const isRange = `${name}[gte]` in shape
    result.set(name, isRange ? Object.assign(result.get(name) ?? {}, { [operator]: value }) : value)
  }
  return Object.fromEntries(result) as WithRanges<Query>
}

/** Refuses a repeated parameter, which the query parser turns into an array. */
export function singleValue() {
  return z.string({ error: 'must be given once' })
}
