import type { Comparisons } from './resource.js'

/** JSON types of /api/v1/people. An update leaves absent fields unchanged. */
export interface PersonApi {
  create: {
    email: string
    born?: string | null
    joined?: string
    seen?: string
    locked?: string | null
    since?: string
    token: string
    device?: string | null
    settings?: unknown
    profile: unknown
    extra?: unknown
    order: number
    group?: string
    class?: string | null
  }
  update: Partial<PersonApi['create']>
  reply: {
    id: number
    email: string
    born: string | null
    joined: string
    seen: string
    locked: string | null
    since: string
    token: string
    device: string | null
    settings: unknown
    profile: unknown
    extra: unknown
    order: number
    group: string
    class: string | null
    created_at: string
    updated_at: string
  }
  list: {
    people: PersonApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
  query: {} & Comparisons<'born', string> &
    Comparisons<'joined', string> &
    Comparisons<'seen', string> &
    Comparisons<'locked', string> &
    Comparisons<'since', string> &
    Comparisons<'order', number>
}
