import type { Comparisons } from './resource.js'

/** JSON types of /api/v1/users. An update leaves absent fields unchanged. */
export interface UserApi {
  create: {
    name: string
    email: string
    age: number
  }
  update: Partial<UserApi['create']>
  reply: {
    id: number
    name: string
    email: string
    age: number
    created_at: string
    updated_at: string
  }
  list: {
    users: UserApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
  query: {} & Comparisons<'age', number>
}
