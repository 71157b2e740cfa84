import { expect, test } from 'vitest'
import { createModel } from '../../../src/generator/model/build.ts'
import { readModel } from '../../../src/generator/spec/project-file.ts'
import {
  addFeature,
  changeModel,
  featureOf,
  modelOf,
  newTree,
  type Tree,
} from '../../support/generator/memory-project.ts'

const project = { name: 'shop', module: 'shop', database: 'sqlite', auth: false } as const

async function shop(orm?: 'kysely'): Promise<Tree> {
  const tree = await newTree(createModel({ ...project, ...(orm && { orm }) }))
  await addFeature(tree, featureOf('Tag name:string slug:string:unique'))
  await addFeature(tree, featureOf('Post title:string tags:many(Tag) --search=title'))
  return tree
}

/** Returns the files of the project, without base copies and the file that git ignores. */
function filesOf(tree: Tree) {
  return Object.fromEntries([...tree].filter(([path]) => !path.startsWith('.strata/')))
}

test('a project with Kysely has the schema and the migrations of Prisma, and nothing else of it', async () => {
  const [prisma, kysely] = [filesOf(await shop()), filesOf(await shop('kysely'))]
  const migrations = (files: object) =>
    Object.entries(files).filter(([path]) => path.startsWith('prisma/migrations/'))
  expect(migrations(kysely)).toEqual(migrations(prisma))
  expect(migrations(kysely)).toHaveLength(3)
  expect(kysely['prisma/schema.prisma']).toContain('model Post {')
  expect(kysely['prisma/schema.prisma']).not.toContain('generator client')
  expect(kysely['package.json']).not.toMatch(/@prisma\/(client|adapter)|prisma generate|libsql/)
  expect(JSON.parse(kysely['package.json'] ?? '').dependencies).toMatchObject({
    kysely: expect.any(String),
  })
  const imports = Object.entries(kysely).filter(
    ([path, text]) => path.startsWith('src/') && /from '(@prisma|\.\.\/generated)/.test(text),
  )
  expect(imports).toEqual([])
  expect(modelOf(new Map(Object.entries(kysely))).orm).toBe('kysely')
})

test('only the repositories, the set-up and its settings differ from a project with Prisma', async () => {
  const [prisma, kysely] = [filesOf(await shop()), filesOf(await shop('kysely'))]
  const paths = new Set([...Object.keys(prisma), ...Object.keys(kysely)])
  const different = [...paths].filter((path) => prisma[path] !== kysely[path])
  const isOfStore = /^(src\/(repositories|infra)\/|prisma|\.npmrc$|package\.json$|strata\.json$)/
  const isSetting =
    /^(src\/container\.ts|src\/domain\/fold-text\.ts|Dockerfile|biome\.json|tsconfig.*|scripts\/(dev|stamp)\.mjs|test\/architecture\.test\.ts|README\.md|\.gitignore|\.dockerignore|vitest\.config\.ts|\.github\/.*)$/
  expect(different.filter((path) => !isOfStore.test(path) && !isSetting.test(path))).toEqual([])
})

test('a switch to Kysely and back keeps edits, and restores every file', async () => {
  const tree = await shop()
  const service = 'src/use-cases/post.service.ts'
  const container = 'src/container.ts'
  tree.set(service, `// My rules.\n${tree.get(service)}`)
  tree.set(container, `${tree.get(container)}\n/** Mine. */\nexport const answer = 42\n`)
  tree.set('src/generated/prisma/client.ts', '// generated')
  const before = filesOf(tree)

  const plan = await changeModel(tree, { ...modelOf(tree), orm: 'kysely' })
  expect(tree.get(service)).toMatch(/^\/\/ My rules\.\n/)
  expect(tree.get(container)).toContain('post.repository.kysely.js')
  expect(tree.get(container)).toContain('export const answer = 42')
  expect(tree.has('src/repositories/post.repository.prisma.ts')).toBe(false)
  expect(tree.has('src/generated/prisma/client.ts')).toBe(false)
  expect(plan.actions.filter(({ path }) => path.startsWith('prisma/migrations/0'))).toEqual([])
  expect(readModel(tree.get('strata.json') ?? '').orm).toBe('kysely')

  const { orm: _, ...model } = modelOf(tree)
  await changeModel(tree, model)
  const { 'src/generated/prisma/client.ts': _generated, ...kept } = before
  expect(filesOf(tree)).toEqual(kept)
})

test('a feature that is added to a project with Kysely gets its repository and its table', async () => {
  const tree = await shop('kysely')
  await addFeature(tree, featureOf('Comment post_id:uint:fk:cascade text:string'))
  expect(tree.get('src/repositories/comment.repository.kysely.ts')).toContain("'comments'")
  expect(tree.get('src/infra/schema.ts')).toContain('comments: {')
  expect(tree.get('src/container.ts')).toContain('comment.repository.kysely.js')
})
