import { randomUUID } from 'node:crypto'
import bcrypt from 'bcrypt'

/** 2^10 rounds: tens of milliseconds for us, and as much for whoever guesses. */
const usualCost = 10

export type Passwords = ReturnType<typeof createPasswords>

/** Salted hashes of passwords, by bcrypt, which reads the first 72 bytes. */
export function createPasswords(cost = usualCost) {
  const hash = (password: string) => bcrypt.hash(password, cost)
  // Compared with where there is no user, so that the answer takes as long.
  const nobodys = hash(randomUUID())

  return {
    hash,

    /** Whether the hash is the password's; false, after the same time, without a hash. */
    async matches(password: string, known: string | undefined): Promise<boolean> {
      const isMatch = await bcrypt.compare(password, known ?? (await nobodys))
      return isMatch && known !== undefined
    },
  }
}
