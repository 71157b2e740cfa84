import type { CallOptions, Send } from './http.js'

interface PageQuery {
  page?: number
  page_size?: number
  /** Fields, for example `title,-created_at`. */
  sort?: string
  /** The `next_cursor` of the last page, instead of `page`. */
  cursor?: string
}

/** JSON types of one collection. */
interface Crud {
  create: unknown
  update: unknown
  reply: unknown
  list: unknown
  /** Response of `find`, if a single record has more fields than a record in a list. */
  details?: unknown
  /** Filters of a list. */
  query?: object
}

type Found<Api extends Crud> = Api extends { details: infer Details } ? Details : Api['reply']
type Query<Api extends Crud> = Api extends { query: infer Filter } ? PageQuery & Filter : PageQuery

/** Creates the five operations of a collection. */
export function createResource<Api extends Crud>(send: Send, path: string) {
  return {
    list: (query?: Query<Api>, options?: CallOptions) =>
      send<Api['list']>('GET', `${path}${toSearch(query ?? {})}`, undefined, options),
    find: (id: number, options?: CallOptions) =>
      send<Found<Api>>('GET', `${path}/${id}`, undefined, options),
    create: (body: Api['create'], options?: CallOptions) =>
      send<Api['reply']>('POST', path, body, options),
    update: (id: number, changes: Api['update'], options?: CallOptions) =>
      send<Api['reply']>('PUT', `${path}/${id}`, changes, options),
    remove: (id: number, options?: CallOptions) =>
      send<void>('DELETE', `${path}/${id}`, undefined, options),
  }
}

function toSearch(query: object): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
}
