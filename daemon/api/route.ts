import type * as z from 'zod'
import type { Role } from '../domain/records.ts'

/** One endpoint. `daemon/http` serves it, the client calls it and `openapi.json` describes it. */
export interface RouteRecord {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Template such as `/projects/{id}`, relative to `/api/v1` unless `isOutsideApi`. */
  readonly path: string
  readonly isOutsideApi?: true
  readonly summary: string
  readonly access: Access
  readonly scope: Scope
  /** Parses the path parameters. Invalid parameters answer 404. */
  readonly params?: z.ZodObject
  /** Parses the query. Repeated parameters answer 400. */
  readonly query?: z.ZodObject
  /** Schema of a JSON body of at most 1 MiB. A route without a schema accepts an empty body or `{}`. */
  readonly body?: z.ZodType
  /** Set if the handler reads the raw body itself. */
  readonly raw?: { readonly media: string; readonly limitBytes: 'restore' | 'git-push' | number }
  /** Responses by status: a schema for JSON, `null` for no body, otherwise a media type. */
  readonly responses: Readonly<Record<number, z.ZodType | null | string>>
  /** True if programs poll the route: requests are not throttled and are logged at `debug`. */
  readonly isFrequent?: true
}

/** The credential that a route requires. */
export type Access =
  | { readonly kind: 'open' }
  /** A bearer token with at least this role. `flagged` requires a higher role if one of its query flags is set. */
  | {
      readonly kind: 'token'
      readonly role: Role
      readonly flagged?: Flagged
      /** True if git clients may send the token as the password of Basic credentials, with any user name. */
      readonly isBasic?: true
    }
  | { readonly kind: 'master' }
  /** A webhook signature of the git host. */
  | { readonly kind: 'signature' }
  /** No token. Only permitted peers are served, and only if the daemon generated the master token. */
  | { readonly kind: 'bootstrap' }

export interface Flagged {
  readonly queries: readonly string[]
  /** The value that sets a flag; default `true` or `1`. */
  readonly value?: string
  readonly role: Role
}

/**
 * Kind of object that a route accesses. A project-scoped token gets 403 for `node-wide`, and 404 for objects of other
 * projects.
 */
export type Scope =
  | 'node-wide'
  | 'project'
  | 'environment'
  | 'queue-entry'
  | 'trash-entry'
  | 'repository'
  | 'filtered'
  | 'none'

export const open = { kind: 'open' } as const satisfies Access
export const master = { kind: 'master' } as const satisfies Access
export const viewer = { kind: 'token', role: 'viewer' } as const satisfies Access
export const developer = { kind: 'token', role: 'developer' } as const satisfies Access
export const maintainer = { kind: 'token', role: 'maintainer' } as const satisfies Access
export const admin = { kind: 'token', role: 'admin' } as const satisfies Access

/** Returns the full path template of a route, such as `/api/v1/projects/{id}`. */
export function pathOf(route: Pick<RouteRecord, 'path' | 'isOutsideApi'>): string {
  return route.isOutsideApi ? route.path : `/api/v1${route.path}`
}
