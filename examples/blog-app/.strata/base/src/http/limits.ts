import { availableParallelism } from 'node:os'
import type { Request, Response } from 'express'
import { ipKeyGenerator, type Options, type RateLimitInfo, rateLimit } from 'express-rate-limit'
import { AppError } from '../domain/app-error.js'

const minute = 60_000

/** Limits of one process. An address is an IPv4 address or a /64 network. */
const limits = {
  /** Pending and failed log-ins. */
  loginsOfAddress: { limit: 300, windowMs: 15 * minute },
  loginsOfEmail: { limit: 20, windowMs: 15 * minute },
  registrationsOfAddress: { limit: 1_000, windowMs: 10 * minute },
  registrationsOfEmail: { limit: 100, windowMs: 10 * minute },
  /** Leaves a core to the event loop, and one of the four threads of Node's pool to files and DNS. */
  hashing: Math.min(3, Math.max(1, availableParallelism() - 1)),
  waiting: 120,
  knownPairs: 10_000,
}

type EmailOf = (req: Request, res: Response) => string

/** Creates the limits of routes that hash passwords. `emailOf` returns a valid e-mail address in lower case. */
export function createLimits(emailOf: EmailOf) {
  const known = new Set<string>()
  const pairOf: EmailOf = (req, res) => `${addressOf(req)} ${emailOf(req, res)}`
  const isKnown = (req: Request, res: Response) => known.has(pairOf(req, res))

  const skipOthers: Partial<Options> = {
    skipSuccessfulRequests: true,
    // A 503 counts: otherwise a flood of e-mail addresses fills the memory of `loginsOfEmail`.
    requestWasSuccessful: (_req, { statusCode }) => statusCode !== 401 && statusCode !== 503,
  }
  const loginsOfEmail = rateLimit({
    ...limits.loginsOfEmail,
    ...common,
    ...skipOthers,
    keyGenerator: (req, res) => (isKnown(req, res) ? pairOf : emailOf)(req, res),
  })

  return {
    registration: [
      rateLimit({ ...limits.registrationsOfAddress, ...common, keyGenerator: addressOf }),
      rateLimit({ ...limits.registrationsOfEmail, ...common, keyGenerator: emailOf }),
    ],
    login: [
      rateLimit({
        ...limits.loginsOfAddress,
        ...common,
        ...skipOthers,
        keyGenerator: addressOf,
        skip: isKnown,
      }),
      loginsOfEmail,
    ],

    /** Guesses of others neither lock a user out of a known address nor use up the attempts there. */
    trust(req: Request, res: Response) {
      const pair = pairOf(req, res)
      loginsOfEmail.resetKey(pair)
      known.delete(pair)
      known.add(pair)
      const [oldest = ''] = known
      if (known.size > limits.knownPairs) known.delete(oldest)
    },

    hash: createQueue(limits.hashing, limits.waiting),
  }
}

const common: Partial<Options> = {
  standardHeaders: false,
  legacyHeaders: false,
  validate: false,
  handler(req, res, next, { windowMs }) {
    const { resetTime } = (req as Request & { rateLimit: RateLimitInfo }).rateLimit
    const restMs = resetTime ? resetTime.getTime() - Date.now() : windowMs
    res.set('Retry-After', String(Math.max(1, Math.ceil(restMs / 1000))))
    next(new AppError('too-many', 'too many attempts, try again later'))
  },
}

function addressOf({ ip = '' }: Request): string {
  return ipKeyGenerator(ip, 64)
}

/**
 * Runs at most `count` tasks at once. The newest waiting task is next, so that a flood of requests does not delay a
 * later one. More than `limit` waiting tasks reject the oldest with AppError `unavailable`.
 */
export function createQueue(count: number, limit: number) {
  const waiting: { start: () => void; refuse: (error: AppError) => void }[] = []
  let free = count
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else {
      await new Promise<void>((start, refuse) => {
        waiting.push({ start, refuse })
        if (waiting.length <= limit) return
        waiting.shift()?.refuse(new AppError('unavailable', 'too many requests wait, try again'))
      })
    }
    try {
      return await task()
    } finally {
      const next = waiting.pop()
      if (next) next.start()
      else free += 1
    }
  }
}
