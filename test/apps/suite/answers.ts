import assert from 'node:assert/strict'
import { excerpt, jsonOf, type Reply } from './http.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** Throws unless the response has the status, or one of the statuses. */
export function assertStatus(reply: Reply, ...allowed: readonly number[]): void {
  assert.ok(
    allowed.includes(reply.status),
    `${reply.call} answered ${reply.status}, not ${allowed.join(' or ')}: ${excerpt(reply)}`,
  )
}

/**
 * Throws unless the response is an error of the contract: one of the statuses, a JSON body
 * with `error` only (a 400 may have `details`), and no stack trace.
 */
export function assertError(reply: Reply, ...allowed: readonly number[]): void {
  assertStatus(reply, ...allowed)
  const body = objectOf(jsonOf(reply), reply.call)
  const { error, details } = body
  const keys = reply.status === 400 && details !== undefined ? ['details', 'error'] : ['error']
  assert.deepEqual(Object.keys(body).sort(), keys, `${reply.call}: the keys of ${excerpt(reply)}`)
  assert.ok(typeof error === 'string' && error.trim() !== '', `${reply.call}: error is no text`)
  if (details !== undefined) faultsOf(reply)
  assertNoLeak(reply)
}

/**
 * Throws unless the response is a 400 whose `details` name exactly these paths, each at least
 * once.
 */
export function assertFaults(reply: Reply, paths: readonly string[], said = ''): void {
  assertError(reply, 400)
  const named = [...new Set(faultsOf(reply))].sort()
  const message = `${reply.call} ${said}: the paths at fault, in ${excerpt(reply)}`
  assert.deepEqual(named, [...new Set(paths)].sort(), message)
}

/** Returns the value as an object with keys. Throws if it is not one; `what` names it. */
export function objectOf(value: unknown, what: string): JsonObject {
  const is = typeof value === 'object' && value !== null && !Array.isArray(value)
  assert.ok(is, `${what}: not an object: ${JSON.stringify(value)}`)
  return { ...value }
}

/** Parses an instant to epoch milliseconds. Throws unless it is ISO 8601 UTC with milliseconds. */
export function instantOf(value: unknown, what: string): number {
  assert.ok(typeof value === 'string', `${what} is no string: ${JSON.stringify(value)}`)
  assert.match(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, `${what} is no UTC timestamp`)
  const instant = Date.parse(value)
  assert.ok(Number.isFinite(instant), `${what} is no instant: ${value}`)
  return instant
}

function faultsOf(reply: Reply): readonly string[] {
  const { details } = objectOf(jsonOf(reply), reply.call)
  assert.ok(Array.isArray(details) && details.length > 0, `${reply.call}: no details`)
  return details.map((detail: unknown) => {
    const fault = objectOf(detail, `${reply.call}: a detail`)
    assert.deepEqual(
      Object.keys(fault).sort(),
      ['message', 'path'],
      `${reply.call}: a detail's keys`,
    )
    const { message, path } = fault
    assert.ok(typeof message === 'string' && message !== '', `${reply.call}: a detail says nothing`)
    assert.ok(typeof path === 'string', `${reply.call}: a detail's path is no string`)
    return path
  })
}

function assertNoLeak(reply: Reply): void {
  const traces = [
    /\n\s+at /,
    /\\n\s+at /,
    /node_modules/,
    /\.[cm]?[jt]s:\d+/,
    /<!doctype|<html|<pre/i,
  ]
  for (const trace of traces) {
    assert.doesNotMatch(reply.text, trace, `${reply.call} shows the code behind it`)
  }
}
