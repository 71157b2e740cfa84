import type { AppUnderTest } from './check.ts'
import type { Call } from './http.ts'
import type { Resource } from './resource.ts'

/** What one application promises, as data: the common checks are made from it. */
export interface Contract {
  readonly routes: readonly Route[]
  readonly resources: readonly Resource[]
  /** A request that an operation is there for, by `GET /uploads/{name}`: what no resource can say. */
  readonly requests?: Readonly<Record<string, (app: AppUnderTest) => Promise<Call>>>
}

export interface Route {
  /** `/api/v1/users/{id}` */
  readonly path: string
  /** Every method it serves, but for HEAD and OPTIONS. */
  readonly methods: readonly Method[]
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export type Method = (typeof methods)[number]

/** The path with every `{parameter}` replaced by one number. */
export function fillPath(path: string, id: number): string {
  return path.replaceAll(/\{[^}]*\}/g, String(id))
}
