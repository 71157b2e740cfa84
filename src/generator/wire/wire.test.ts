import { describe, expect, test } from 'vitest'
import { createFeature } from '../model/build.ts'
import { entityNames } from '../model/names.ts'
import { wiringFiles } from '../render/render.ts'
import { parseFieldArgs } from '../spec/field-list.ts'
import { wireFeature, wiringPaths } from './wire.ts'

describe('wiring a feature', () => {
  test('covers the four files that name every feature', () => {
    expect(wiringPaths).toEqual(wiringFiles)
    expect(() => wire('src/app.ts', '')).toThrow(/src\/app.ts is not a wiring file/)
  })

  test("imports the repository of the project's store", () => {
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
  ])('adds %s to a file with only %s', (entity, other) => {
    const there = wire('src/container.ts', emptyContainer, { entity: other, plural: 'others' })
    const text = there.kind === 'edited' ? there.text : ''
    const result = wire('src/container.ts', text, { entity })
    expect(result).toMatchObject({
      kind: 'edited',
      text: expect.stringContaining(`: create${entity}Repository(store),`),
    })
  })

  test('edits no empty file and lists the lines to add', () => {
    expect(wire('client/index.ts', '')).toEqual({
      kind: 'not-found',
      missing: 'the function createClient',
      lines: [
        "import { createResource } from './resource.js'",
        "import type { PostApi } from './post.api.js'",
        '// in the object that createClient returns:',
        "posts: createResource<PostApi>(send, '/api/v1/posts'),",
      ],
    })
  })

  test('adds imports to a file without imports', () => {
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
