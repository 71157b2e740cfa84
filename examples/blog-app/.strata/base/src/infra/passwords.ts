import { randomUUID } from 'node:crypto'
import bcrypt from 'bcrypt'

/** 2^10 rounds: each hash takes tens of milliseconds, which slows down guessing. */
const defaultCost = 10

export type Passwords = ReturnType<typeof createPasswords>

/** Hashes and compares passwords with bcrypt, which reads their first 72 bytes. */
export function createPasswords(cost = defaultCost) {
  const hash = (password: string) => bcrypt.hash(password, cost)
  // Login compares the password of an unknown user with this hash: response times do not reveal
  // which users exist.
  const dummyHash = hash(randomUUID())

  return {
    hash,

    /** Whether `known` is the hash of the password. Without a hash, returns false after the same time. */
    async matches(password: string, known: string | undefined): Promise<boolean> {
      const isMatch = await bcrypt.compare(password, known ?? (await dummyHash))
      return isMatch && known !== undefined
    },
  }
}
