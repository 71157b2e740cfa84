import type { ServerResponse } from 'node:http'
import type { RouteRecord } from '../api/route.ts'

/** What is known of a request while it is served; Express keeps it on the response. */
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
