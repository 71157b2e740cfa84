import type { ServerResponse } from 'node:http'
import type { RouteRecord } from '../api/route.ts'

/** State of one request. Express stores it as `res.locals`. */
export interface Locals {
  readonly requestId: string
  operator?: string
  route?: RouteRecord
}

export function localsOf(res: ServerResponse): Locals {
  return (res as ServerResponse & { locals: Locals }).locals
}

export function setLocals(res: ServerResponse, locals: Locals): void {
  Object.assign(res, { locals })
}
