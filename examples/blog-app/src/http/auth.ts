import type { RequestHandler, Response } from 'express'
import { AppError } from '../domain/app-error.js'
import type { Caller } from '../domain/caller.js'

type Verify = (token: string) => Caller | undefined

/** Stores `verify` for requireCaller. Public routes never verify a token, valid or not. */
export function identify(verify: Verify): RequestHandler {
  return (_req, res, next) => {
    res.locals.verify = verify
    next()
  }
}

/** Sets the caller of a request from its token. Throws AppError `unauthenticated` if the token is missing or invalid. */
export const requireCaller: RequestHandler = (req, res, next) => {
  const verify: Verify = res.locals.verify
  const caller = verify(tokenOf(req.headers.authorization))
  if (!caller) throw new AppError('unauthenticated', 'Invalid token')
  res.locals.caller = caller
  next()
}

/** Returns the caller of a request. Throws if the route does not use requireCaller. */
export function callerOf(res: Response): Caller {
  const caller: Caller | undefined = res.locals.caller
  if (!caller) throw new Error('callerOf found no caller: add requireCaller to the route')
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
