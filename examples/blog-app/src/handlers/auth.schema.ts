import * as z from 'zod'
import { isHashable, maxPasswordBytes } from '../domain/user.js'
import { answer, failure, jsonSchema, reference } from '../http/doc.js'
import { email, text } from '../http/fields.js'
import type { ApiDoc } from '../http/openapi.js'
import type { Session } from '../use-cases/auth.service.js'

export const registerBody = z.strictObject({
  name: text({ min: 2, max: 255 }),
  email: email(),
  password: text({ min: 8, max: maxPasswordBytes }).refine(
    isHashable,
    `must be at most ${maxPasswordBytes} bytes long`,
  ),
})

/**
 * Login does not check the form of e-mail or password: a malformed value matches no user, so the
 * response is 401.
 */
export const loginBody = z.strictObject({
  email: text({ min: 1 }),
  password: text({ min: 1 }),
})

const authReply = z.strictObject({
  token: z.string(),
  user: z.strictObject({ id: z.int().positive(), name: z.string(), email: z.string() }),
})

export function toWire({ token, user: { id, name, email } }: Session): z.input<typeof authReply> {
  return { token, user: { id, name, email } }
}

export const authDoc: ApiDoc = {
  paths: {
    '/api/v1/auth/register': {
      post: {
        summary: 'Register a user and get a token for 24 hours',
        operationId: 'register',
        requestBody: body('RegisterInput'),
        responses: {
          201: answer('Registered', reference('AuthResponse')),
          ...bodyFailures(),
          409: failure('The e-mail address is already registered'),
        },
      },
    },
    '/api/v1/auth/login': {
      post: {
        summary: 'Get a token for 24 hours',
        operationId: 'login',
        requestBody: body('LoginInput'),
        responses: {
          200: answer('Logged in', reference('AuthResponse')),
          ...bodyFailures(),
          401: failure('Unknown e-mail address or wrong password'),
        },
      },
    },
  },
  schemas: {
    RegisterInput: jsonSchema(registerBody),
    LoginInput: jsonSchema(loginBody),
    AuthResponse: jsonSchema(authReply),
  },
}

function body(schema: string) {
  return { required: true, content: { 'application/json': { schema: reference(schema) } } }
}

function bodyFailures() {
  return {
    400: failure('Invalid body'),
    413: failure('The body is too large'),
    415: failure('The body is not JSON'),
  }
}
