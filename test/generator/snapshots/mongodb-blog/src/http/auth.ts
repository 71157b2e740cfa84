import type { RequestHandler, Response } from 'express'
import { AppError } from '../domain/app-error.js'
import type { Caller } from '../domain/caller.js'

type Verify = (token: string) => Caller | undefined

/** Tells the routes behind it how tokens are verified. Reads nothing until a route asks who calls. */
export function identify(verify: Verify): RequestHandler {
  return (_req, res, next) => {
    res.locals.verify = verify
    next()
  }
}

/** Lets only those through who send a valid token. Throws AppError `unauthenticated`. */
export const requireCaller: RequestHandler = (req, res, next) => {
  const verify: Verify = res.locals.verify
  const caller = verify(tokenOf(req.headers.authorization))
  if (!caller) throw new AppError('unauthenticated', 'Invalid token')
  res.locals.caller = caller
  next()
}

/** Who calls, on a route behind requireCaller. */
export function callerOf(res: Response): Caller {
  const caller: Caller | undefined = res.locals.caller
  if (!caller) throw new Error('requireCaller must stand before this handler')
  return caller
}

function tokenOf(header: string | undefined): string {
  if (!header) throw new AppError('unauthenticated', 'Authorization header required')
  const [scheme, token, ...rest] = header.split(' ')
  if (scheme !== 'Bearer' || !token || rest.length > 0) {
    throw new AppError('unauthenticated', 'Invalid authorization format')
  }
  return token
}
