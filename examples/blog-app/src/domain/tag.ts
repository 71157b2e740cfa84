export interface Tag {
  id: number
  name: string
  slug: string
  createdAt: Date
  updatedAt: Date
}

/** Fields that a caller gives to create a tag. The default slug derives from the name. */
export type TagDraft = Pick<Tag, 'name'> & Partial<Pick<Tag, 'slug'>>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type TagChanges = Partial<TagDraft>
