import { randomUUID } from 'node:crypto'
import bcrypt from 'bcrypt'

/** 2^10 rounds: tens of milliseconds for us, and as much for whoever guesses. */
const usualCost = 10

/** Files, names of hosts and the log-in at a database wait for the same four threads: one is left to them. */
const atOnce = 3

export type Passwords = ReturnType<typeof createPasswords>

/** Salted hashes of passwords, by bcrypt, which reads the first 72 bytes. */
export function createPasswords(cost = usualCost) {
  const inTurn = createTurns(atOnce)
  const hash = (password: string) => inTurn(() => bcrypt.hash(password, cost))
  // Compared with where there is no user, so that the answer takes as long.
  const nobodys = hash(randomUUID())

  return {
    hash,

    /** Whether the hash is the password's; false, after the same time, without a hash. */
    async matches(password: string, known: string | undefined): Promise<boolean> {
      const hashed = known ?? (await nobodys)
      const isMatch = await inTurn(() => bcrypt.compare(password, hashed))
      return isMatch && known !== undefined
    },
  }
}

/** Lets so many be at work; the others wait for their turn, in order. */
function createTurns(count: number) {
  const waiting: (() => void)[] = []
  let free = count
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
