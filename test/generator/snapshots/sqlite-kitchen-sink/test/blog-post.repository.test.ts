import type { BlogPost } from '../src/domain/blog-post.js'
import { createBlogPostBody } from '../src/handlers/blog-post.schema.js'
import { camelKeys } from '../src/http/camel-keys.js'
import { blogPostSample } from './samples/blog-post.sample.js'
import { describeRepository } from './support/repository-contract.js'

describeRepository<BlogPost>({
  title: 'blog posts',
  of: (repositories) => repositories.blogPosts,
  draft: (n) => camelKeys(createBlogPostBody.parse(blogPostSample(n))),
  unique: ['slug'],
})
