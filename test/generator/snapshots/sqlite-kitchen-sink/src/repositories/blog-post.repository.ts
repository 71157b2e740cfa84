import type { BlogPost } from '../domain/blog-post.js'
import type { Repository } from './repository.js'

export type BlogPostRepository = Repository<BlogPost>
