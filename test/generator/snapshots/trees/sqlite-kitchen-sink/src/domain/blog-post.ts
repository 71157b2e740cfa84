import type { ValueRange } from './value-range.js'

export const blogPostStatusValues = ['draft', 'published', 'archived'] as const

export const blogPostMoodValues = ['good', 'bad'] as const

export interface BlogPost {
  id: number
  title: string
  slug: string
  body: string
  summary: string | null
  pinned: boolean
  featured: boolean | null
  readingMinutes: number
  score: number
  rating: number | null
  /** An exact number. */
  price: string
  /** An exact number. */
  discount: string | null
  status: (typeof blogPostStatusValues)[number]
  mood: (typeof blogPostMoodValues)[number] | null
  createdAt: Date
  updatedAt: Date
}

/** Fields that a caller gives to create a record. */
export type BlogPostDraft = Omit<BlogPost, 'id' | 'createdAt' | 'updatedAt'>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type BlogPostChanges = Partial<BlogPostDraft>

/** Conditions of a list. Undefined matches every record. */
export interface BlogPostFilter {
  pinned?: boolean | undefined
  featured?: boolean | undefined
  status?: (typeof blogPostStatusValues)[number] | undefined
  mood?: (typeof blogPostMoodValues)[number] | undefined
  readingMinutes?: ValueRange<number> | undefined
  score?: ValueRange<number> | undefined
  rating?: ValueRange<number> | undefined
  price?: ValueRange<string> | undefined
  discount?: ValueRange<string> | undefined
}
