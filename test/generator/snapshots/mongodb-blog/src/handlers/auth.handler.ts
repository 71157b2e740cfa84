import { Router } from 'express'
import { methodNotAllowed } from '../http/errors.js'
import { jsonBody, parseBody } from '../http/parse.js'
import type { AuthService } from '../use-cases/auth.service.js'
import { loginBody, registerBody, toWire } from './auth.schema.js'

export function createAuthRouter(service: AuthService): Router {
  const router = Router()

  router
    .route('/register')
    .post(jsonBody, async (req, res) => {
      const session = await service.register(parseBody(registerBody, [], req))
      res.status(201).json(toWire(session))
    })
    .all(methodNotAllowed)

  router
    .route('/login')
    .post(jsonBody, async (req, res) => {
      res.json(toWire(await service.login(parseBody(loginBody, [], req))))
    })
    .all(methodNotAllowed)

  return router
}
