import { hashOf, kept, matches, session, sessionOf } from './auth.ts'
import { type Exchange, Refusal, sendJson, sendNothing } from './exchange.ts'
import type { UserRow } from './tables.ts'
import { readBody, text, textOf } from './validation.ts'

export async function readMe(exchange: Exchange): Promise<void> {
  const { id, name, email, created_at, password_hash } = userOf(exchange)
  const extra = exchange.is('me-tells-hash') ? { password_hash } : {}
  sendJson(exchange, 200, { id, name, email, role: 'user', created_at, ...extra })
}

export async function changePassword(exchange: Exchange): Promise<void> {
  const { is, tables } = exchange
  const { token } = sessionOf(exchange)
  const user = userOf(exchange)
  const rules = { current: text, next: textOf(is('next-of-six') ? 6 : 8) }
  const { current, next } = await readBody(exchange, { rules, optional: [], managed: [] })
  if (!is('current-ignored')) assertPassword(exchange, user, current)
  const changed = tables.users.change(user.id, {
    password_hash: hashOf(kept(exchange, String(next))),
    token_version: user.token_version + (is('tokens-outlive-password') ? 0 : 1),
    kept_token: is('password-ends-caller') ? '' : token,
  })
  sendJson(exchange, 200, session(exchange, changed ?? user))
}

export async function logout(exchange: Exchange): Promise<void> {
  const { is, tables } = exchange
  const { token } = sessionOf(exchange)
  const { id, ended_tokens } = userOf(exchange)
  if (is('logout-ends-all')) return logoutAll(exchange)
  const known = is('logout-forgets') ? [] : ended_tokens
  if (!is('logout-keeps')) tables.users.change(id, { ended_tokens: [...known, token] })
  sendNothing(exchange)
}

export async function logoutAll(exchange: Exchange): Promise<void> {
  const { is, tables } = exchange
  const { id, token_version } = userOf(exchange)
  const { token } = sessionOf(exchange)
  const kept_token = is('logout-all-but-one') ? token : ''
  tables.users.change(id, { token_version: token_version + 1, kept_token })
  sendNothing(exchange)
}

export async function removeMe(exchange: Exchange): Promise<void> {
  const { is, tables } = exchange
  const user = userOf(exchange)
  const shape = { rules: { password: text }, optional: [], managed: [] }
  const { password } = await readBody(exchange, shape)
  if (!is('removal-unasked')) assertPassword(exchange, user, password)
  const isReferred = [...tables.posts.all(), ...tables.comments.all()].some(
    ({ author_id }) => author_id === user.id,
  )
  if (isReferred && !is('author-removed')) throw new Refusal(409, 'other records refer to the user')
  if (!is('removal-claimed')) tables.users.remove(user.id)
  sendNothing(exchange)
}

function userOf(exchange: Exchange): UserRow {
  const user = exchange.tables.users.find(sessionOf(exchange).caller.id)
  if (user === undefined) throw new Refusal(401, 'Invalid token')
  return user
}

function assertPassword(exchange: Exchange, user: UserRow, password: unknown): void {
  if (matches(kept(exchange, String(password)), user.password_hash)) return
  throw new Refusal(401, 'invalid credentials')
}
