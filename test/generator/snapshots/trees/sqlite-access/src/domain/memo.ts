export interface Memo {
  id: number
  orderId: number
  order: { id: number; note: string }
  authorId: number
  author: { id: number; name: string }
  text: string
  createdAt: Date
  updatedAt: Date
}

/** Fields that a caller gives to create a record. */
export type MemoDraft = Omit<
  Memo,
  'id' | 'createdAt' | 'updatedAt' | 'authorId' | 'order' | 'author'
>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type MemoChanges = Partial<MemoDraft>

/** Conditions of a list. Undefined matches every record. */
export interface MemoFilter {
  orderId?: number | undefined
  authorId?: number | undefined
  /** Only records that this user may see. */
  visibleTo?: number | undefined
}
