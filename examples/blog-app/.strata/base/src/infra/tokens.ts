import type { KeyObject } from 'node:crypto'
import jwt from 'jsonwebtoken'
import * as z from 'zod'

const algorithm = 'HS256'
const lifetimeSeconds = 24 * 60 * 60

const claims = z.object({
  user_id: z.int32().positive(),
  email: z.string().min(1),
  iat: z.int(),
  exp: z.int(),
})

interface Bearer {
  id: number
  email: string
}

export type Tokens = ReturnType<typeof createTokens>

/** Issues and verifies JSON Web Tokens that are valid for 24 hours. `key` signs them; `now` is the clock. */
export function createTokens(key: KeyObject, now = () => new Date()) {
  const seconds = () => Math.floor(now().getTime() / 1000)

  return {
    issue({ id, email }: Bearer): string {
      const iat = seconds()
      return jwt.sign({ user_id: id, email, iat, exp: iat + lifetimeSeconds }, key, { algorithm })
    },

    /** Returns undefined if the token is expired, malformed or was not issued with this key. */
    verify(token: string): Bearer | undefined {
      const result = claims.safeParse(payloadOf(token))
      return result.success ? { id: result.data.user_id, email: result.data.email } : undefined
    },
  }

  function payloadOf(token: string): unknown {
    try {
      return jwt.verify(token, key, { algorithms: [algorithm], clockTimestamp: seconds() })
    } catch {
      // The library throws various errors for malformed input, not only its own classes.
      return undefined
    }
  }
}
