import type { BlogPost, BlogPostDraft, BlogPostFilter } from '../../../src/domain/blog-post.js'
import type { TableOf } from '../memory-tables.js'

/** How blog posts are kept in memory. */
export const blogPostTable: TableOf<BlogPost, BlogPostDraft, BlogPostFilter> = {
  name: 'blog_posts',
  unique: ['slug'],
  filters: ['pinned', 'featured'],
}
