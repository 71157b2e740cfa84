import { describe, expect, test } from 'vitest'
import { createFeature } from '../model/build.ts'
import { entityNames } from '../model/names.ts'
import { wiringFiles } from '../render/render.ts'
import { parseFieldArgs } from '../spec/field-list.ts'
import { wireFeature, wiringPaths } from './wire.ts'

describe('wiring a feature', () => {
  test('is known for the four files that name every feature', () => {
    expect(wiringPaths).toEqual(wiringFiles)
    expect(() => wire('src/app.ts', '')).toThrow(/src\/app.ts is no wiring file/)
  })

  test('brings in the repository of the store the project has', () => {
    const result = wire('src/container.ts', emptyContainer, { adapter: 'mongodb' })
    expect(result).toMatchObject({
      kind: 'edited',
      text: expect.stringContaining("'./repositories/post.repository.mongodb.js'"),
    })
  })

  test.each([
    ['Post', 'BlogPost'],
    ['BlogPost', 'Post'],
    ['New', 'News'],
    ['Book', 'Bookstore'],
    ['Tag', 'PostTag'],
  ])('finds nothing of %s where only %s is wired', (entity, other) => {
    const there = wire('src/container.ts', emptyContainer, { entity: other, plural: 'others' })
    const text = there.kind === 'edited' ? there.text : ''
    const result = wire('src/container.ts', text, { entity })
    expect(result).toMatchObject({
      kind: 'edited',
      text: expect.stringContaining(`: create${entity}Repository(store),`),
    })
  })

  test('adds nothing to an empty file and tells the lines', () => {
    expect(wire('client/index.ts', '')).toEqual({
      kind: 'not-found',
      missing: 'the function createClient',
      lines: [
        "import type { PostApi } from '../src/handlers/post.schema.js'",
        "import { createResource } from './resource.js'",
        '// in the object that createClient returns:',
        "posts: createResource<PostApi>(send, '/api/v1/posts'),",
      ],
    })
  })

  test('brings imports into a file that has none', () => {
    const text = '// Ours.\n\nexport const createMemoryRepositories = (tables) => ({})\n'
    expect(wire('test/support/memory.ts', text)).toMatchObject({
      text: [
        '// Ours.',
        '',
        "import { createMemoryRepository } from './memory-repository.js'",
        "import { postTable } from './tables/post.table.js'",
        'export const createMemoryRepositories = (tables) => ({',
        '  posts: createMemoryRepository(tables, postTable),',
        '})',
        '',
      ].join('\n'),
    })
  })
})

const emptyContainer = `import type { Store } from './infra/store.js'

export function createRepositories(store: Store) {
  return {}
}

export function createContainer(repositories: Repositories, now = () => new Date()) {
  return {}
}
`

function wire(
  path: string,
  text: string,
  options: { entity?: string; plural?: string; adapter?: string } = {},
) {
  const { entity = 'Post', plural, adapter = 'prisma' } = options
  const names = entityNames(entity, plural === undefined ? {} : { plural })
  const feature = createFeature({ entity: names, ...parseFieldArgs(['title:string']) })
  return wireFeature({ path, text, feature, adapter })
}
