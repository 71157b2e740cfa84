import type * as z from 'zod'
import { DaemonError } from '../errors.ts'
import { jsonFault } from './json-faults.ts'

/** The value as `schema` gives it. Throws DaemonError `bad-request` that names every fault and shows no value. */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const odd = jsonFault(value)
  if (odd) throw new DaemonError('bad-request', `the request ${odd}`)
  const result = schema.safeParse(value, { error: faultMessage })
  if (result.success) return result.data
  throw new DaemonError('bad-request', sentenceOf(result.error.issues))
}

/**
 * The texts of a query string such as `?branch=main`. Throws DaemonError `bad-request` for what is given twice or can't
 * be decoded.
 */
export function queryTexts(url: string): Record<string, string> {
  const start = url.indexOf('?')
  const texts = new Map<string, string>()
  const pairs = start < 0 ? [] : url.slice(start + 1).split('&')
  for (const pair of pairs.filter((text) => text !== '')) {
    const [name = '', ...rest] = pair.split('=')
    const key = decode(name)
    if (texts.has(key)) {
      throw new DaemonError('bad-request', `${shown(key)} is given more than once`)
    }
    texts.set(key, decode(rest.join('=')))
  }
  return Object.fromEntries(texts)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new DaemonError('bad-request', 'the query is not percent-encoded UTF-8')
  }
}

const names: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** Zod's issues in the words of this API. Undefined leaves the schema's own. */
function faultMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      return `must be ${names[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`
    case 'too_small':
      return `must be at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`
    case 'too_big':
      return `must be at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`
    default:
      return undefined
  }
}

function unit(origin: string, count: number | bigint): string {
  const plural = count === 1 ? '' : 's'
  if (origin === 'string') return ` character${plural} long`
  return origin === 'array' ? ` item${plural} long` : ''
}

const maxFaults = 8

function sentenceOf(issues: readonly z.core.$ZodIssue[]): string {
  const faults = issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(
        (key) => `${shown([...issue.path, key].join('.'))} is not a known field`,
      )
    }
    const path = shown(issue.path.join('.'))
    if (path !== '') return [`${path} ${issue.message}`]
    return [issue.code === 'invalid_type' ? `the body ${issue.message}` : issue.message]
  })
  const more = faults.length > maxFaults ? [`${faults.length - maxFaults} more`] : []
  return [...faults.slice(0, maxFaults), ...more].join('; ')
}

function shown(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80)}…` : name
}
