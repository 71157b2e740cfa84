import * as z from 'zod'
import { isHashable, maxPasswordBytes } from '../domain/user.js'
import { email, text } from '../http/fields.js'
import { type ApiDoc, components, operation } from '../http/openapi.js'
import type { Session } from '../use-cases/auth.service.js'

export const registerBody = z
  .strictObject({
    name: text({ min: 2, max: 255 }),
    email: email(),
    password: text({ min: 8, max: maxPasswordBytes }).refine(
      isHashable,
      `must be at most ${maxPasswordBytes} bytes long`,
    ),
  })
  .register(components, { id: 'RegisterInput' })

/**
 * Login does not check the form of e-mail or password: a malformed value matches no user, so the
 * response is 401.
 */
export const loginBody = z
  .strictObject({ email: text({ min: 1 }), password: text({ min: 1 }) })
  .register(components, { id: 'LoginInput' })

const authReply = z
  .strictObject({
    token: z.string(),
    user: z.strictObject({ id: z.int().positive(), name: z.string(), email: z.string() }),
  })
  .register(components, { id: 'AuthResponse' })

export function toWire({ token, user: { id, name, email } }: Session): z.input<typeof authReply> {
  return { token, user: { id, name, email } }
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
      statuses: [409],
    }),
  },
  '/api/v1/auth/login': {
    post: operation({
      id: 'login',
      tag: 'auth',
      summary: 'Get a token for 24 hours',
      body: loginBody,
      reply: authReply,
      statuses: [401],
    }),
  },
}
