import { createBlogPostBody } from '../src/handlers/blog-post.schema.js'
import { camelKeys } from '../src/http/camel-keys.js'
import { blogPostSample } from './samples/blog-post.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { blogPostTable } from './support/tables/blog-post.table.js'

describeRepository({
  title: 'blog posts',
  table: blogPostTable,
  of: (repositories) => repositories.blogPosts,
  draft: (n) => camelKeys(createBlogPostBody.parse(blogPostSample(n))),
})
