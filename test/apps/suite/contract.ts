import type { AppUnderTest } from './check.ts'
import type { Call } from './http.ts'
import type { Resource } from './resource.ts'

/** The contract of one application, as data: the common checks derive from it. */
export interface Contract {
  readonly routes: readonly Route[]
  readonly resources: readonly Resource[]
  /** Valid requests of operations outside resources, by method and path: `GET /uploads/{name}`. */
  readonly requests?: Readonly<Record<string, (app: AppUnderTest) => Promise<Call>>>
}

export interface Route {
  /** `/api/v1/users/{id}` */
  readonly path: string
  /** Every method of the path except HEAD and OPTIONS. */
  readonly methods: readonly Method[]
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export type Method = (typeof methods)[number]

/** Returns the path with every `{parameter}` replaced by the same number. */
export function fillPath(path: string, id: number): string {
  return path.replaceAll(/\{[^}]*\}/g, String(id))
}
