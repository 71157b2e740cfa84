import type { BlogPost, BlogPostDraft, BlogPostFilter } from '../../../src/domain/blog-post.js'
import type { TableOf } from '../memory-tables.js'

/** Describes blog posts for the in-memory store. */
export const blogPostTable: TableOf<BlogPost, BlogPostDraft, BlogPostFilter> = {
  name: 'blog_posts',
  unique: ['slug'],
  filters: ['pinned', 'featured'],
}
