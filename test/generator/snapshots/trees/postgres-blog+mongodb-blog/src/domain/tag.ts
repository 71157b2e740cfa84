export interface Tag {
  id: number
  name: string
  slug: string
  createdAt: Date
  updatedAt: Date
}

/** What a caller gives to make one. */
export type TagDraft = Omit<Tag, 'id' | 'createdAt' | 'updatedAt'>

/** What a caller may change; a field that is left out stays as it is. */
export type TagChanges = Partial<TagDraft>
