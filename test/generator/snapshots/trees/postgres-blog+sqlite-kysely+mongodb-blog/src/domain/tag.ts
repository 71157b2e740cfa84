export interface Tag {
  id: number
  name: string
  slug: string
  createdAt: Date
  updatedAt: Date
}

/** Fields that a caller gives to create a record. */
export type TagDraft = Omit<Tag, 'id' | 'createdAt' | 'updatedAt'>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type TagChanges = Partial<TagDraft>
