import { type Request, type RequestHandler, type Response, Router } from 'express'
import { callerOf, tokenOf } from '../http/auth.js'
import { methodNotAllowed } from '../http/errors.js'
import { createLimits } from '../http/limits.js'
import { jsonBody, parseBody } from '../http/parse.js'
import type { AuthService } from '../use-cases/auth.service.js'
import {
  loginBody,
  passwordBody,
  registerBody,
  removeBody,
  toWire,
  userToWire,
} from './auth.schema.js'

export function createAuthRouter(service: AuthService, requireCaller: RequestHandler): Router {
  const router = Router()
  const limits = createLimits(emailOf)

  router
    .route('/register')
    .post(jsonBody, ...limits.registration, async (req, res) => {
      const body = parseBody(registerBody, [], req)
      const session = await limits.hash(() => service.register(body))
      limits.trust(req, res)
      res.status(201).json(toWire(session))
    })
    .all(methodNotAllowed)

  router
    .route('/login')
    .post(jsonBody, ...limits.login, async (req, res) => {
      const body = parseBody(loginBody, [], req)
      const session = await limits.hash(() => service.login(body))
      limits.trust(req, res)
      res.json(toWire(session))
    })
    .all(methodNotAllowed)

  router
    .route('/me')
    .get(async (req, res) => {
      res.json(userToWire(await service.find(tokenOf(req))))
    })
    .delete(requireCaller, jsonBody, ...limits.login, async (req, res) => {
      const { password } = parseBody(removeBody, [], req)
      await limits.hash(() => service.remove(tokenOf(req), password))
      res.status(204).end()
    })
    .all(methodNotAllowed)

  router
    .route('/password')
    .post(requireCaller, jsonBody, ...limits.login, async (req, res) => {
      const body = parseBody(passwordBody, [], req)
      const session = await limits.hash(() => service.changePassword(tokenOf(req), body))
      res.json(toWire(session))
    })
    .all(methodNotAllowed)

  router
    .route('/logout')
    .post(async (req, res) => {
      await service.logout(tokenOf(req))
      res.status(204).end()
    })
    .all(methodNotAllowed)

  router
    .route('/logout-all')
    .post(async (req, res) => {
      await service.logoutAll(tokenOf(req))
      res.status(204).end()
    })
    .all(methodNotAllowed)

  return router
}

/** Returns the e-mail address of the caller, or else of a valid body. */
function emailOf(req: Request, res: Response): string {
  if (res.locals.caller) return callerOf(res).email
  const isRegistration = req.route.path === '/register'
  const { email } = isRegistration
    ? parseBody(registerBody, [], req)
    : parseBody(loginBody, [], req)
  return email.toLowerCase()
}
