import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { assertStatus, type JsonObject, objectOf } from '../answers.ts'
import type { AppUnderTest } from '../check.ts'
import { jsonOf, type Reply, send } from '../http.ts'

/** Somebody who has registered. */
export interface Caller {
  /** The application, with this caller's credential. */
  readonly app: AppUnderTest
  readonly id: number
  readonly name: string
  /** As it was sent. */
  readonly email: string
  readonly password: string
  readonly token: string
}

export interface Session {
  readonly token: string
  readonly user: JsonObject & { readonly id: number }
}

export const registerPath = '/api/v1/auth/register'
export const loginPath = '/api/v1/auth/login'

const nonce = randomBytes(4).toString('hex')
let serials = 0

/** A word of small letters and digits that is in no store yet, and is a part of no other such word. */
export function unique(): string {
  serials += 1
  return `u${nonce}n${serials}x`
}

/** A valid body for registering, of somebody new. */
export function registration(): { name: string; email: string; password: string } {
  const word = unique()
  return { name: `Ada ${word}`, email: `${word}@example.com`, password: `pass ${word}` }
}

/** Somebody new, registered with these fields in place of fresh ones. */
export async function register(
  app: AppUnderTest,
  fields: Partial<ReturnType<typeof registration>> = {},
): Promise<Caller> {
  const body = { ...registration(), ...fields }
  const reply = await send(app, { method: 'POST', path: registerPath, json: body })
  const { token, user } = sessionOf(reply, 201)
  return { app: { ...app, headers: bearer(token) }, id: user.id, token, ...body }
}

export function login(app: AppUnderTest, json: unknown): Promise<Reply> {
  return send(app, { method: 'POST', path: loginPath, json })
}

export function bearer(token: string): { readonly Authorization: string } {
  return { Authorization: `Bearer ${token}` }
}

/** The body of a registration's or login's answer. Throws unless it is as the contract fixes it. */
export function sessionOf(reply: Reply, status: number): Session {
  assertStatus(reply, status)
  const { token, user, ...rest } = objectOf(jsonOf(reply), reply.call)
  assert.deepEqual(rest, {}, `${reply.call}: more than token and user`)
  assert.ok(typeof token === 'string' && token !== '', `${reply.call}: no token`)
  const { id, ...about } = objectOf(user, `${reply.call}: user`)
  assert.deepEqual(Object.keys(about).sort(), ['email', 'name'], `${reply.call}: the user's keys`)
  assert.ok(typeof id === 'number' && Number.isSafeInteger(id) && id > 0, `${reply.call}: user.id`)
  return { token, user: { ...about, id } }
}

/** Throws unless the answer is that error, with that very text. */
export function assertText(reply: Reply, status: number, text: string, said = ''): void {
  assertStatus(reply, status)
  const { error } = objectOf(jsonOf(reply), reply.call)
  assert.equal(error, text, `${reply.call} ${said}`)
}
