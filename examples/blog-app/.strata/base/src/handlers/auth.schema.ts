import * as z from 'zod'
import { isHashable, maxPasswordBytes, normalizePassword, type User } from '../domain/user.js'
import { email, text } from '../http/fields.js'
import { type ApiDoc, components, operation } from '../http/openapi.js'
import type { Session } from '../use-cases/auth.service.js'

const newPassword = text({ min: 8, max: maxPasswordBytes }).refine(
  (password) => isHashable(normalizePassword(password)),
  `must be at most ${maxPasswordBytes} bytes long`,
)

export const registerBody = z
  .strictObject({ name: text({ min: 2, max: 255 }), email: email(), password: newPassword })
  .register(components, { id: 'RegisterInput' })

/**
 * Login does not check the form of e-mail or password: a malformed value matches no user, so the
 * response is 401.
 */
export const loginBody = z
  .strictObject({ email: text({ min: 1 }), password: text({ min: 1 }) })
  .register(components, { id: 'LoginInput' })

export const passwordBody = z
  .strictObject({ current: text({ min: 1 }), next: newPassword })
  .register(components, { id: 'PasswordInput' })

export const removeBody = z
  .strictObject({ password: text({ min: 1 }) })
  .register(components, { id: 'DeleteMeInput' })

const authReply = z
  .strictObject({
    token: z.string(),
    user: z.strictObject({ id: z.int().positive(), name: z.string(), email: z.string() }),
  })
  .register(components, { id: 'AuthResponse' })

const me = z
  .strictObject({
    id: z.int().positive(),
    name: z.string(),
    email: z.string(),
    role: z.enum(['user', 'admin']),
    created_at: z.iso.datetime(),
  })
  .register(components, { id: 'Me' })

export function toWire({ token, user: { id, name, email } }: Session): z.input<typeof authReply> {
  return { token, user: { id, name, email } }
}

export function userToWire({ id, name, email, role, createdAt }: User): z.input<typeof me> {
  return { id, name, email, role, created_at: createdAt.toISOString() }
}

export const authDoc: ApiDoc = {
  '/api/v1/auth/register': {
    post: operation({
      id: 'register',
      tag: 'auth',
      summary: 'Register a user and get a token for 24 hours',
      body: registerBody,
      status: 201,
      reply: authReply,
      statuses: [409, 429],
    }),
  },
  '/api/v1/auth/login': {
    post: operation({
      id: 'login',
      tag: 'auth',
      summary: 'Get a token for 24 hours',
      body: loginBody,
      reply: authReply,
      statuses: [401, 429],
    }),
  },
  '/api/v1/auth/me': {
    get: operation({ id: 'me', tag: 'auth', summary: 'Get the caller', reply: me, token: true }),
    delete: operation({
      id: 'deleteMe',
      tag: 'auth',
      summary: 'Delete the caller and all parts of the caller',
      body: removeBody,
      status: 204,
      statuses: [409, 429],
      token: true,
    }),
  },
  '/api/v1/auth/password': {
    post: operation({
      id: 'changePassword',
      tag: 'auth',
      summary: 'Change the password, which ends all other tokens',
      body: passwordBody,
      reply: authReply,
      statuses: [429],
      token: true,
    }),
  },
  '/api/v1/auth/logout': {
    post: operation({
      id: 'logout',
      tag: 'auth',
      summary: 'End the token of the request',
      status: 204,
      token: true,
    }),
  },
  '/api/v1/auth/logout-all': {
    post: operation({
      id: 'logoutAll',
      tag: 'auth',
      summary: 'End all tokens of the caller',
      status: 204,
      token: true,
    }),
  },
}
