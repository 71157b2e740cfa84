import type { Send } from './http.js'

export interface PageQuery {
  page?: number
  page_size?: number
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
    list: (query?: Query<Api>) => send<Api['list']>('GET', `${path}${toSearch(query ?? {})}`),
    find: (id: number) => send<Found<Api>>('GET', `${path}/${id}`),
    create: (body: Api['create']) => send<Api['reply']>('POST', path, body),
    update: (id: number, changes: Api['update']) =>
      send<Api['reply']>('PUT', `${path}/${id}`, changes),
    remove: (id: number) => send<void>('DELETE', `${path}/${id}`),
  }
}

function toSearch(query: object): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
}
