import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { assertStatus, type JsonObject, objectOf } from '../answers.ts'
import type { AppUnderTest } from '../check.ts'
import { jsonOf, type Reply, send } from '../http.ts'

/** A registered user. */
export interface Caller {
  /** The application with the credential of this caller. */
  readonly app: AppUnderTest
  readonly id: number
  readonly name: string
  /** The password in plain text. */
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

/** Returns a new lower-case word that is no substring of an earlier word. */
export function unique(): string {
  serials += 1
  return `u${nonce}n${serials}x`
}

/** Returns a valid registration of a new user. */
export function registration(): { name: string; email: string; password: string } {
  const word = unique()
  return { name: `Ada ${word}`, email: `${word}@example.com`, password: `pass ${word}` }
}

/** Registers a new user; `fields` replace generated values. */
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

/** Returns the body of a registration or login. Throws unless it matches the contract. */
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

/** Throws unless the response is the error with exactly this text. */
export function assertText(reply: Reply, status: number, text: string, said = ''): void {
  assertStatus(reply, status)
  const { error } = objectOf(jsonOf(reply), reply.call)
  assert.equal(error, text, `${reply.call} ${said}`)
}
