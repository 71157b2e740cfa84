import type * as z from 'zod'
import type { Role } from '../domain/records.ts'

/** One endpoint, as `daemon/http` serves it, the client calls it and `openapi.json` describes it. */
export interface RouteRecord {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Template below `/api/v1`, as `/projects/{id}`; from the root where `isOutsideApi`. */
  readonly path: string
  readonly isOutsideApi?: true
  readonly summary: string
  readonly access: Access
  readonly scope: Scope
  /** From the path's texts. What does not fit is no such thing: 404. */
  readonly params?: z.ZodObject
  /** From the query's texts, each given once at most. */
  readonly query?: z.ZodObject
  /** A JSON body of 1 MiB at most. A route that changes something and has none takes no body, or `{}`. */
  readonly body?: z.ZodType
  /** The handler reads the body itself: raw bytes. */
  readonly raw?: { readonly media: string; readonly limitBytes: 'restore' | number }
  /** By status: the schema of a JSON answer, `null` for none, a media type for what is no JSON. */
  readonly responses: Readonly<Record<number, z.ZodType | null | string>>
  /** Hot or asked by machines all the time: never throttled, logged at `debug`. */
  readonly isFrequent?: true
}

/** Whose credential lets one in. */
export type Access =
  | { readonly kind: 'open' }
  /** A bearer token of at least this role; a stricter one where the query's flag is given. */
  | { readonly kind: 'token'; readonly role: Role; readonly flagged?: Flagged }
  | { readonly kind: 'master' }
  /** The webhook's own signature. */
  | { readonly kind: 'signature' }
  /** No credential, only while the token is the daemon's own, judged by the peer. */
  | { readonly kind: 'bootstrap' }

export interface Flagged {
  readonly query: string
  readonly role: Role
}

/** What a project-scoped token may touch: `node-wide` is 403 for it, one of another project's things 404. */
export type Scope = 'node-wide' | 'project' | 'environment' | 'queue-entry' | 'filtered' | 'none'

export const open = { kind: 'open' } as const satisfies Access
export const master = { kind: 'master' } as const satisfies Access
export const viewer = { kind: 'token', role: 'viewer' } as const satisfies Access
export const developer = { kind: 'token', role: 'developer' } as const satisfies Access
export const maintainer = { kind: 'token', role: 'maintainer' } as const satisfies Access
export const admin = { kind: 'token', role: 'admin' } as const satisfies Access

/** The whole path template of a route, as `/api/v1/projects/{id}`. */
export function pathOf(route: Pick<RouteRecord, 'path' | 'isOutsideApi'>): string {
  return route.isOutsideApi ? route.path : `/api/v1${route.path}`
}
