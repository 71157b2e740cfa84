import type { Request, RequestHandler, Response } from 'express'
import { AppError } from '../domain/app-error.js'
import type { Caller } from '../domain/caller.js'

/**
 * Creates a handler that sets the caller of a request from its token. Throws AppError `unauthenticated` if the token
 * is missing or malformed. Public routes never verify a token, valid or not.
 */
export function createRequireCaller(
  authenticate: (token: string) => Promise<Caller>,
): RequestHandler {
  return async (req, res, next) => {
    res.locals.caller = await authenticate(tokenOf(req))
    next()
  }
}

/** Returns the caller of a request. Throws if the route does not use requireCaller. */
export function callerOf(res: Response): Caller {
  const caller: Caller | undefined = res.locals.caller
  if (!caller) throw new Error('callerOf found no caller: add requireCaller to the route')
  return caller
}

/** Returns the token of a request. Throws AppError `unauthenticated` if the token is missing or malformed. */
export function tokenOf({ headers: { authorization: header } }: Request): string {
  if (!header) throw new AppError('unauthenticated', 'Authorization header required')
  const [scheme, token, ...rest] = header.split(' ')
  if (scheme !== 'Bearer' || !token || rest.length > 0) {
    throw new AppError('unauthenticated', 'Invalid authorization format')
  }
  return token
}
