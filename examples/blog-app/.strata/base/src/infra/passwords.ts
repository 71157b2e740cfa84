import { randomUUID } from 'node:crypto'
import bcrypt from 'bcrypt'

/** 2^10 rounds: each hash takes tens of milliseconds, which slows down guessing. */
const defaultCost = 10

/** Node's thread pool has four threads. One stays free for files, DNS and database connections. */
const maxConcurrent = 3

export type Passwords = ReturnType<typeof createPasswords>

/** Hashes and compares passwords with bcrypt, which reads their first 72 bytes. */
export function createPasswords(cost = defaultCost) {
  const limit = createSemaphore(maxConcurrent)
  const hash = (password: string) => limit(() => bcrypt.hash(password, cost))
  // Login compares the password of an unknown user with this hash: response times do not reveal
  // which users exist.
  const dummyHash = hash(randomUUID())

  return {
    hash,

    /** Whether `known` is the hash of the password. Without a hash, returns false after the same time. */
    async matches(password: string, known: string | undefined): Promise<boolean> {
      const hashed = known ?? (await dummyHash)
      const isMatch = await limit(() => bcrypt.compare(password, hashed))
      return isMatch && known !== undefined
    },
  }
}

/** Runs at most `count` tasks at once; further tasks wait in order. */
function createSemaphore(count: number) {
  const waiting: (() => void)[] = []
  let free = count
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
