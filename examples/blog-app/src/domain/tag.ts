export interface Tag {
  id: number
  name: string
  slug: string
  createdAt: Date
  updatedAt: Date
}

/** What a caller gives to make one. Without a slug it gets one from its name. */
export type TagDraft = Pick<Tag, 'name'> & Partial<Pick<Tag, 'slug'>>

/** What a caller may change; a field that is left out stays as it is. */
export type TagChanges = Partial<TagDraft>
