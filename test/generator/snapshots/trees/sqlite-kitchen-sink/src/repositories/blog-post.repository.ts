import type { BlogPost, BlogPostDraft, BlogPostFilter } from '../domain/blog-post.js'
import type { Repository } from './repository.js'

export type BlogPostRepository = Repository<BlogPost, BlogPostDraft, BlogPostFilter>
