import type { Comparisons } from './resource.js'

/** JSON types of /api/v1/notes. An update leaves absent fields unchanged. */
export interface NoteApi {
  create: {
    text: string
    code: string
    price: string | number
  }
  update: Partial<NoteApi['create']>
  reply: {
    id: number
    text: string
    code: string
    price: string
    created_at: string
    updated_at: string
  }
  list: {
    notes: NoteApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
  query: {
    search?: string
  } & Comparisons<'price', string>
}
