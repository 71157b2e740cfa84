import { expect, test } from 'vitest'
import { createFeature } from '../model/build.ts'
import { entityNames } from '../model/names.ts'
import { parseFieldArgs } from '../spec/field-list.ts'
import { namesFeature } from './names-feature.ts'
import { wireFeature } from './wire.ts'

const post = createFeature({ entity: entityNames('Post'), ...parseFieldArgs(['title:string']) })

const chained = `import { Router } from 'express'
import { createPostRouter } from './handlers/post.handler.js'
import { postDoc } from './handlers/post.schema.js'

export const createRoutes = (container) =>
  Router().use('/posts', createPostRouter(container.posts)).use('/motto', motto)

export const apiDocs = [postDoc]
`

test('a router in a chain counts as wired, for the check and for the next run', () => {
  expect(namesFeature('src/routes.ts', chained, post, 'prisma')).toBe(true)
  expect(
    wireFeature({ path: 'src/routes.ts', text: chained, feature: post, adapter: 'prisma' }),
  ).toEqual({ kind: 'unchanged' })
})

test('an import alone does not count as wired', () => {
  const text = chained.replace(".use('/posts', createPostRouter(container.posts))", '')
  expect(namesFeature('src/routes.ts', text, post, 'prisma')).toBe(false)
})

test('a service under another name in the container counts as wired', () => {
  const text = `import { createPostRepository as open } from './repositories/post.repository.prisma.js'
import { createPostService } from './use-cases/post.service.js'
export const createRepositories = (store) => ({ articles: open(store) })
export const createContainer = (repositories) => ({ blog: createPostService({ repository: repositories.articles }) })
`
  expect(namesFeature('src/container.ts', text, post, 'prisma')).toBe(true)
})
