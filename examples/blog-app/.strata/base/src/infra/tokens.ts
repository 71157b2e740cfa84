import { type KeyObject, randomBytes } from 'node:crypto'
import jwt from 'jsonwebtoken'
import * as z from 'zod'

const algorithm = 'HS256' as const
const lifetimeSeconds = 24 * 60 * 60

/** Tokens of earlier versions of the app have neither `jti` nor `version`. */
const signedToken = z.object({
  header: z.object({
    jti: z
      .string()
      .regex(/^[\w-]+$/)
      .optional(),
    version: z.int().nonnegative().default(0),
  }),
  payload: z.object({
    user_id: z.int32().positive(),
    email: z.string().min(1),
    iat: z.int(),
    exp: z.int(),
  }),
})

interface Subject {
  id: number
  email: string
  tokenVersion: number
}

export type Tokens = ReturnType<typeof createTokens>

/** Issues and verifies JSON Web Tokens that are valid for 24 hours. `key` signs them; `now` is the clock. */
export function createTokens(key: KeyObject, now = () => new Date()) {
  const seconds = () => Math.floor(now().getTime() / 1000)

  return {
    issue({ id, email, tokenVersion }: Subject): string {
      const iat = seconds()
      const jti = randomBytes(12).toString('base64url')
      const header = { alg: algorithm, typ: 'JWT', jti, version: tokenVersion }
      const claims = { user_id: id, email, iat, exp: iat + lifetimeSeconds }
      return jwt.sign(claims, key, { algorithm, header })
    },

    /** Returns undefined if the token is expired, malformed or was not issued with this key. */
    verify(token: string) {
      const result = signedToken.safeParse(verified(token))
      if (!result.success) return undefined
      const { header, payload } = result.data
      return {
        id: header.jti,
        version: header.version,
        userId: payload.user_id,
        expiry: payload.exp,
      }
    },
  }

  function verified(token: string): unknown {
    const options = { algorithms: [algorithm], clockTimestamp: seconds(), complete: true as const }
    try {
      return jwt.verify(token, key, options)
    } catch {
      // The library throws various errors for malformed input, not only its own classes.
      return undefined
    }
  }
}
