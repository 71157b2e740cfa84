import type { BlogPost, BlogPostDraft, BlogPostFilter } from '../../../src/domain/blog-post.js'
import type { TableOf } from '../memory-tables.js'

/** Describes blog posts for the in-memory store. */
export const blogPostTable: TableOf<BlogPost, BlogPostDraft, BlogPostFilter> = {
  name: 'blog_posts',
  unique: ['slug'],
  filters: ['pinned', 'featured', 'status', 'mood'],
  ranges: ['readingMinutes', 'score', 'rating', 'price', 'discount'],
  sorts: ['title', 'slug', 'status'],
  decimals: ['price', 'discount'],
}
