import type { MutantName } from './reference-mutants.ts'

export type Json = Readonly<Record<string, unknown>>

export interface Fault {
  readonly path: string
  readonly message: string
}

type Is = (name: MutantName) => boolean

/** Read-only fields, which a body may contain. */
export const managed: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at'])

const fields = ['name', 'email', 'age'] as const

/** Returns every fault in the body of a create or update. */
export function faultsOfBody(body: unknown, isPartial: boolean, is: Is): readonly Fault[] {
  if (typeof body !== 'object' || body === null || (Array.isArray(body) && !is('arrays-pass'))) {
    return [{ path: '', message: 'must be an object' }]
  }
  const sent: Json = Array.isArray(body) ? { name: '', email: 'a@b.io', age: 1 } : { ...body }
  const wrong = fields.filter((name) => {
    if (!Object.hasOwn(sent, name)) return !isPartial || is('put-wants-all')
    return !isFit(name, sent[name], is)
  })
  const isKnown = (key: string): boolean => fields.some((name) => name === key)
  const unknown = Object.keys(sent).filter((key) => {
    if (is('managed-refused') && managed.has(key)) return true
    if (is('managed-checked') && key === 'id' && typeof sent.id !== 'number') return true
    if (is('prototype-keys-pass') && key in {}) return false
    return !isKnown(key) && !managed.has(key)
  })
  if (is('unknown-ignored')) unknown.length = 0
  if (is('unknown-only-in-create') && isPartial) unknown.length = 0
  const few = is('unknown-after-known') && wrong.length > 0 ? [] : unknown
  const paths = [...wrong, ...few.slice(0, is('ten-faults') ? 10 : undefined)]
  const all =
    paths.length > 0 && is('names-every-field') ? [...new Set([...paths, ...fields])] : paths
  return all.map((path) => ({
    path: is('path-prefixed') ? `body.${path}` : path,
    message: 'is not valid',
    ...(is('detail-code') ? { code: 'invalid' } : {}),
  }))
}

/** Returns every fault in the query of a list, but not in its filters. */
export function faultsOfQuery(
  query: URLSearchParams,
  filters: readonly string[],
  is: Is,
): readonly Fault[] {
  const faulty = ['page', 'page_size'].filter((name) => {
    const values = query.getAll(name)
    if (values.length > 1 && !is('repeated-takes-first')) return true
    const [value] = values
    if (value === undefined || (value === '' && is('empty-parameter-passes'))) return false
    if (is('page-zero-passes') && name === 'page' && value === '0') return false
    if (is('page-parse-int')) return !(Number.parseInt(value, 10) > 0)
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < 1) return true
    if (name === 'page') return false
    return number > (is('page-size-99') ? 99 : is('page-size-clamped') ? Infinity : 100)
  })
  const known = ['page', 'page_size', ...filters]
  const unknown = [...query.keys()].filter((name) => !known.includes(name))
  return [
    ...faulty.map((path) => ({ path, message: 'is out of range' })),
    ...(is('unknown-query-passes') ? [] : unknown).map((path) => ({ path, message: 'is unknown' })),
  ]
}

function isFit(name: (typeof fields)[number], value: unknown, is: Is): boolean {
  if (value === null && is('null-passes')) return true
  if (name === 'age') return isAge(value, is)
  if (typeof value !== 'string') {
    return is('scalars-become-text') && typeof value === 'number'
  }
  if (name === 'name') return !(is('long-names-500') && value.length > 1000 && fail())
  return isEmail(value, is)
}

function isAge(value: unknown, is: Is): boolean {
  if (value === 0 && is('zero-refused')) return false
  if (typeof value === 'string' && is('numbers-from-text')) return Number.isInteger(Number(value))
  if (is('fractions-pass') && typeof value === 'number') return true
  if (is('int-32-bit-500') && Math.abs(Number(value)) >= 2 ** 31) return fail()
  return Number.isSafeInteger(value)
}

function isEmail(value: string, is: Is): boolean {
  if (is('any-email')) return true
  if (is('email-at-only')) return value.includes('@')
  if (is('email-multiline')) return /^[\w.+'-]+@([\w-]+\.)+[a-z]+$/im.test(value)
  if (is('email-plus-refused') && value.includes('+')) return false
  return /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@([A-Za-z0-9-]+\.)+[A-Za-z]{2,}$/.test(value)
}

function fail(): never {
  throw new RangeError('value out of range for the column')
}
