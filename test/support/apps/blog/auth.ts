import { createHmac, randomBytes, randomUUID, scryptSync, timingSafeEqual } from 'node:crypto'
import { roundTrip } from '../round-trip.ts'
import { type Caller, type Exchange, Refusal, sendJson } from './exchange.ts'
import type { UserRow } from './tables.ts'
import { emailText, readBody, text, textOf } from './validation.ts'

const daySeconds = 24 * 60 * 60
const noHash = hashOf(randomBytes(16).toString('hex'))

export async function register(exchange: Exchange): Promise<void> {
  const { tables, is } = exchange
  const shape = {
    rules: {
      name: textOf(is('name-of-one') ? 1 : 2),
      email: is('any-email') ? text : emailText,
      password: textOf(is('password-of-six') ? 6 : 8),
    },
    optional: is('name-optional') ? ['name'] : [],
    managed: is('role-passes') ? ['role'] : [],
  }
  const { name, email, password } = await readBody(exchange, shape)
  const taken = findByEmail(exchange, String(email))
  const password_hash = hashOf(kept(exchange, String(password)))
  if (is('register-race')) await roundTrip()
  if (taken !== undefined) {
    if (is('register-overwrites')) tables.users.change(taken.id, { password_hash })
    const shown = is('refusal-echoes') ? ` for ${password}` : ''
    const words = is('taken-in-other-words') ? 'e-mail taken' : 'email already registered'
    throw new Refusal(is('taken-is-400') ? 400 : 409, `${words}${shown}`)
  }
  const tokens = { token_version: 0, kept_token: '', ended_tokens: [] }
  const fields = { name: String(name), email: String(email), password_hash, ...tokens }
  const user = tables.users.insert(fields)
  sendJson(exchange, is('register-200') ? 200 : 201, session(exchange, user))
}

export async function login(exchange: Exchange): Promise<void> {
  const { is } = exchange
  const rules = { email: text, password: text }
  const managed = is('login-ignores-unknown') ? ['remember'] : []
  const { email, password } = await readBody(exchange, { rules, optional: [], managed })
  const known = findByEmail(exchange, String(email))
  const user = is('login-case-matters') && known?.email !== email ? undefined : known
  const isRight = matches(kept(exchange, String(password)), user?.password_hash ?? noHash)
  if (user === undefined && is('unknown-told')) throw new Refusal(401, 'no such user')
  if (user === undefined || !isRight) throw new Refusal(401, 'invalid credentials')
  const { token, ...rest } = session(exchange, user)
  lastLogin = token
  sendJson(exchange, is('login-201') ? 201 : 200, { token, ...rest })
}

/** For the mutant `one-session`: the only valid token after a login. */
let lastLogin: string | undefined

/** Returns the caller. Throws a Refusal with the message of the contract. */
export function callerOf(exchange: Exchange): Caller {
  return sessionOf(exchange).caller
}

/** Returns the caller and the id of the token. Throws a Refusal with the message of the contract. */
export function sessionOf(exchange: Exchange): { readonly caller: Caller; readonly token: string } {
  const { is, query, req } = exchange
  const inQuery = is('token-in-query') ? query.get('token') : null
  const cookie = is('token-in-cookie') ? /token=([^;]+)/.exec(req.headers.cookie ?? '')?.[1] : null
  const other = inQuery ?? cookie
  const header = other ? `Bearer ${other}` : req.headers.authorization
  if (header === undefined) throw new Refusal(401, 'Authorization header required')
  if (header === '' && is('empty-header-500')) throw new TypeError('no header')
  const parts = header.split(is('bearer-spaces') ? / +/ : ' ')
  const [scheme = '', token] = parts
  const isBearer = is('bearer-any-case') ? /^bearer$/i.test(scheme) : scheme === 'Bearer'
  const isTwo = parts.length === 2 || (is('bearer-more') && parts.length > 2)
  if (!isBearer || !isTwo || !token) throw new Refusal(401, 'Invalid authorization format')
  const caller = verify(exchange, token)
  const isCurrent = !is('one-session') || lastLogin === undefined || lastLogin === token
  const user = exchange.tables.users.find(caller?.id ?? 0)
  const { jti, version } = decoded(token.split('.')[0] ?? '') ?? {}
  const id = String(jti ?? '')
  const isLive = user === undefined ? is('nobody-writes') : isValid(user, id, Number(version ?? 0))
  if (caller !== undefined && isCurrent && isLive) return { caller, token: id }
  throw new Refusal(401, is('bad-token-told') ? 'jwt malformed' : 'Invalid token')
}

function isValid(user: UserRow, id: string, version: number): boolean {
  const isOfVersion = version === user.token_version || (id !== '' && id === user.kept_token)
  return isOfVersion && !user.ended_tokens.includes(id)
}

export function session(
  { is, secret }: Exchange,
  { id, name, email, created_at, token_version }: UserRow,
) {
  const iat = Math.floor(Date.now() / 1000)
  const exp = iat + (is('token-seven-days') ? 7 : 1) * daySeconds
  const claims = { user_id: id, ...(is('token-no-email') ? {} : { email }), iat, exp }
  const alg = is('token-hs512') ? 'HS512' : 'HS256'
  const head = { alg, typ: 'JWT', jti: randomUUID(), version: token_version }
  const body = `${encoded(head)}.${encoded(claims)}`
  const user = { id, name, email, ...(is('user-extra') ? { created_at } : {}) }
  return { token: `${body}.${signature(body, secret, alg)}`, user }
}

function verify({ is, secret }: Exchange, token: string): Caller | undefined {
  const [head = '', body = '', signed = '', ...rest] = token.split('.')
  if (is('garbage-500') && body === '') throw new SyntaxError('no token')
  const header = decoded(head)
  const claims = decoded(body)
  const alg = String(header?.alg)
  const isNone = is('alg-none') && alg.toLowerCase() === 'none'
  const accepted = is('any-hs') || is('token-hs512') ? ['HS256', 'HS384', 'HS512'] : ['HS256']
  const secrets = is('secret-literal') ? [secret, 'changeme'] : [secret]
  const isSigned =
    accepted.includes(alg) &&
    secrets.some((each) => isSame(signed, signature(`${head}.${body}`, each, alg)))
  const isTrusted = isSigned || isNone || is('signature-ignored')
  if (claims === undefined || rest.length > 0 || !isTrusted) return undefined
  const { user_id, email, exp } = claims
  if (is('claims-unchecked')) return { id: Number(user_id), email: String(email) }
  const isDated = Number.isSafeInteger(exp) || (exp === undefined && is('exp-optional'))
  if (!isDated || (Number(exp) <= Date.now() / 1000 && !is('exp-ignored'))) return undefined
  const isText = (typeof email === 'string' && email !== '') || is('token-no-email')
  if (!Number.isSafeInteger(user_id) || Number(user_id) < 1 || !isText) return undefined
  return { id: Number(user_id), email: String(email) }
}

function findByEmail({ tables, is }: Exchange, email: string): UserRow | undefined {
  const wanted = email.toLowerCase()
  const like = new RegExp(`^${wanted.replaceAll('%', '.*').replaceAll('_', '.')}$`)
  return tables.users.all().find((user) => {
    if (is('email-case-matters')) return user.email === email
    if (is('email-like') && /[%_]/.test(email)) return like.test(user.email.toLowerCase())
    return user.email.toLowerCase() === wanted
  })
}

/** Returns the part of a password that is compared. */
export function kept({ is }: Exchange, password: string): string {
  if (is('password-72-bytes')) return Buffer.from(password).subarray(0, 72).toString('latin1')
  if (is('password-trimmed')) return password.trim()
  if (is('login-nul-cuts')) return password.split('\0')[0] ?? ''
  const normal = is('password-as-typed') ? password : password.normalize('NFKC')
  return is('password-any-case') ? normal.toLowerCase() : normal
}

/** Encodes a password as JSON, because scrypt treats `x` and `x\0` as the same key. */
export function hashOf(password: string, salt = randomBytes(16).toString('hex')): string {
  const key = scryptSync(JSON.stringify(password), salt, 32, { N: 256 })
  return `${salt}:${key.toString('hex')}`
}

export function matches(password: string, hash: string): boolean {
  const [salt = ''] = hash.split(':')
  return isSame(hashOf(password, salt), hash)
}

function isSame(one: string, two: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(two)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function signature(text: string, secret: string, alg: string): string {
  return createHmac(alg.replace('HS', 'sha'), secret).update(text).digest('base64url')
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decoded(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined // malformed input
  }
}
