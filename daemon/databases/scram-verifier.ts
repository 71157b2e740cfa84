import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'

const iterations = 4096

/**
 * Returns the SCRAM-SHA-256 verifier of a password in PostgreSQL's format. A statement with the verifier instead of the
 * password keeps the password out of the server's log. `salt` has 16 random bytes.
 */
export function scramVerifier(password: string, salt: Buffer): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64')
  const serverKey = hmac('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}
