import { type Exchange, type Fault, type Json, Refusal, readJson } from './exchange.ts'

/** Returns why a value is invalid; undefined if it is valid. */
export type Rule = (value: unknown) => string | undefined

export interface Shape {
  readonly rules: Readonly<Record<string, Rule>>
  readonly optional: readonly string[]
  /** Accepted and ignored. */
  readonly managed: readonly string[]
}

const emailForm = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@([A-Za-z0-9-]+\.)+[A-Za-z]{2,}$/

export const text: Rule = (value) => (typeof value === 'string' ? undefined : 'must be a text')

export function textOf(min: number): Rule {
  return (value) =>
    typeof value === 'string' && [...value].length >= min ? undefined : `at least ${min} characters`
}

export const emailText: Rule = (value) =>
  typeof value === 'string' && emailForm.test(value) ? undefined : 'must be an e-mail address'

export const bool: Rule = (value) =>
  typeof value === 'boolean' ? undefined : 'must be true or false'

export const positive: Rule = (value) =>
  Number.isSafeInteger(value) && Number(value) > 0 ? undefined : 'must be an id'

export const list: Rule = (value) => (Array.isArray(value) ? undefined : 'must be a list')

/** Returns the fields of the body. Throws a Refusal that names every invalid field. */
export async function readBody(exchange: Exchange, shape: Shape, isPartial = false): Promise<Json> {
  const body = await readJson(exchange)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal(400, 'the body must be an object')
  }
  const sent = Object.entries(body).filter(([name]) => !shape.managed.includes(name))
  const faults = faultsOf(Object.fromEntries(sent), sent, shape, isPartial)
  if (faults.length > 0) throw new Refusal(400, 'validation failed', faults)
  if (isPartial && sent.length === 0) throw new Refusal(400, 'nothing to change')
  return Object.fromEntries(sent)
}

function faultsOf(
  body: Json,
  sent: readonly (readonly [string, unknown])[],
  { rules, optional }: Shape,
  isPartial: boolean,
): readonly Fault[] {
  const missing = Object.keys(rules).filter(
    (name) => !isPartial && !Object.hasOwn(body, name) && !optional.includes(name),
  )
  const wrong = sent.flatMap(([path, value]) => {
    const rule = Object.hasOwn(rules, path) ? rules[path] : undefined
    const message = rule === undefined ? 'is not known' : rule(value)
    return message === undefined ? [] : [{ path, message }]
  })
  return [...missing.map((path) => ({ path, message: 'is required' })), ...wrong]
}

export interface Paging {
  readonly page: number
  readonly size: number
}

/** Rules for query parameters by name; each returns why a text is invalid. */
export type QueryRules = Readonly<Record<string, (value: string) => boolean>>

export const isId = (value: string): boolean => /^[1-9]\d*$/.test(value)

export const isBool = (value: string): boolean => value === 'true' || value === 'false'

/** Parses page and page_size. Throws a Refusal that names every invalid parameter. */
export function readQuery(
  { query, is }: Exchange,
  rules: QueryRules,
  orderFaults: readonly string[],
): Paging {
  const all: QueryRules = {
    page: isId,
    page_size: (value) => isId(value) && Number(value) <= 100,
    ...rules,
  }
  const faulty = Object.entries(all).filter(([name, isFit]) => {
    const values = query.getAll(name)
    if (values.length > 1 && !(is('filter-twice') && name in rules)) return true
    return values.length > 0 && !isFit(values[0] ?? '')
  })
  const isKnown = (name: string) => Object.hasOwn(all, name) || name === 'sort' || name === 'cursor'
  const unknown = [...query.keys()].filter((name) => !isKnown(name))
  const faults = [
    ...faulty.map(([path]) => ({ path, message: 'is out of range' })),
    ...orderFaults.map((path) => ({ path, message: 'is not valid' })),
    ...unknown.map((path) => ({ path, message: 'is unknown' })),
  ]
  if (faults.length > 0) throw new Refusal(400, 'the query is not valid', faults)
  return { page: Number(query.get('page') ?? 1), size: Number(query.get('page_size') ?? 20) }
}

/** Parses the id in a path. */
export function idOf(text: string): number {
  if (!isId(text)) throw new Refusal(400, 'the id is not an unsigned integer')
  const id = Number(text)
  if (!Number.isSafeInteger(id)) throw new Refusal(404, 'not found')
  return id
}
