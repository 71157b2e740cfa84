import { describe, expect, test } from 'vitest'
import { createModel, withoutFeature } from '../../../src/generator/model/build.ts'
import { type StoreKind, storeKinds } from '../../../src/generator/model/store-kinds.ts'
import { wholeProject } from '../../../src/generator/plan/affected-files.ts'
import { basePath } from '../../../src/generator/plan/base.ts'
import {
  addFeature,
  changeModel,
  featureOf,
  modelOf,
  newTree,
  renameIn,
  type Tree,
} from '../../support/generator/memory-project.ts'

const file = 'src/http/aliases.ts'

async function blog(database: StoreKind = 'sqlite', auth = false): Promise<Tree> {
  const tree = await newTree(createModel({ name: 'shop', module: 'shop', database, auth }))
  await addFeature(tree, featureOf('Tag name:string'))
  await addFeature(tree, featureOf('Post title:string body:text'))
  return tree
}

/** Compares the tree with a project that was emitted from its model at once. */
async function expectAsEmitted(tree: Tree): Promise<void> {
  for (const [path, text] of await wholeProject(modelOf(tree))) {
    expect(tree.get(path), path).toBe(text)
    expect(tree.get(basePath(path)), basePath(path)).toBe(text)
  }
}

describe('strata rename --alias', () => {
  test.each(storeKinds)('serves and describes the previous path on %s', async (database) => {
    const tree = await blog(database, true)
    const client = await emittedClient(database)
    await renameIn(tree, 'Post', 'Article', { alias: true })
    expect(modelOf(tree).features[1]?.aliases).toEqual(['posts'])
    expect(tree.get(file)).toContain("  '/posts': '/articles',\n")
    expect(tree.get('src/app.ts')).toContain(
      "app.use('/api/v1', serveAliases, createRoutes(container))",
    )
    expect(tree.get('src/app.ts')).toContain("createOpenApi('shop', withAliases(apiDocs))")
    expect(tree.get('client/index.ts')).toBe(client)
    await expectAsEmitted(tree)
  })

  test('keeps an edited app.ts, and an alias over a second rename', async () => {
    const tree = await blog()
    const app = tree.get('src/app.ts') ?? ''
    tree.set(
      'src/app.ts',
      app.replace("app.disable('etag')", "app.disable('etag')\n  app.set('json spaces', 2)"),
    )
    await renameIn(tree, 'Post', 'Article', { alias: true })
    await renameIn(tree, 'Article', 'Story')
    expect(tree.get(file)).toContain("  '/posts': '/stories',\n")
    await renameIn(tree, 'Story', 'Text', { alias: true })
    expect(modelOf(tree).features[1]?.aliases).toEqual(['posts', 'stories'])
    expect(tree.get('src/app.ts')).toContain("app.set('json spaces', 2)")
    expect(tree.get('src/app.ts')).toContain('serveAliases, createRoutes')
  })

  test('renames back to the aliased path and leaves nothing behind', async () => {
    const tree = await blog()
    const before = new Map(tree)
    await renameIn(tree, 'Post', 'Article', { alias: true })
    await renameIn(tree, 'Article', 'Post')
    const own = (of: Tree) => [...of].filter(([path]) => !path.startsWith('prisma/migrations/'))
    expect(own(tree)).toEqual(expect.arrayContaining(own(before)))
    expect(tree.has(file)).toBe(false)
    expect(tree.has(basePath(file))).toBe(false)
  })

  test('keeps an edited file of aliases instead of deleting it', async () => {
    const tree = await blog()
    await renameIn(tree, 'Post', 'Article', { alias: true })
    tree.set(file, `${tree.get(file)}\nexport const mine = 1\n`)
    await expect(renameIn(tree, 'Article', 'Post')).rejects.toMatchObject({ kind: 'conflict' })
  })
})

describe('an alias', () => {
  test('survives added fields, other features and another store', async () => {
    const tree = await blog()
    await renameIn(tree, 'Post', 'Article', { alias: true })
    await addFeature(tree, { ...(modelOf(tree).features[1] ?? expect.fail()), protect: 'none' })
    await addFeature(tree, featureOf('Note text:string'))
    await changeModel(tree, { ...modelOf(tree), database: 'mongodb' })
    expect(modelOf(tree).features[1]?.aliases).toEqual(['posts'])
    await expectAsEmitted(tree)
  })

  test('goes with its feature, or alone', async () => {
    const [removed, alone] = [await blog(), await blog()]
    for (const tree of [removed, alone]) await renameIn(tree, 'Post', 'Article', { alias: true })
    await changeModel(removed, withoutFeature(modelOf(removed), 'Article'), {
      allowDestructive: true,
    })
    await addFeature(alone, featureOf('Article title:string body:text'))
    for (const tree of [removed, alone]) {
      expect(tree.has(file)).toBe(false)
      expect(tree.get('src/app.ts')).not.toContain('serveAliases')
      await expectAsEmitted(tree)
    }
  })

  test('is refused if another collection or a route of users has the path', async () => {
    const tree = await blog('sqlite', true)
    await renameIn(tree, 'Post', 'Article', { alias: true })
    const add = (line: string) => addFeature(tree, featureOf(line))
    await expect(add('Post title:string')).rejects.toThrow(
      'both need the path posts: remove the alias with strata feature Article --alias none',
    )
    await expect(add('Note text:string --alias=tags')).rejects.toThrow('both need the path tags')
    await expect(add('Note text:string --alias=uploads')).rejects.toThrow(
      'already has the path uploads',
    )
    await expect(add('Note text:string --alias=Old/Notes')).rejects.toThrow(
      'is not the path of a collection',
    )
    await expect(add('Note text:string --alias=notes')).rejects.toThrow('the path of Note itself')
    await expect(add('Note text:string --alias=a,a')).rejects.toThrow('given twice')
    await expect(renameIn(tree, 'Tag.name', 'label', { alias: true })).rejects.toThrow(
      'a field has no path',
    )
    const same = renameIn(tree, 'Tag', 'Label', { plural: 'tags', alias: true })
    await expect(same).rejects.toThrow('the path stays tags: leave out --alias')
  })
})

/** Returns the client of a project that had the new name from the start. */
async function emittedClient(database: StoreKind): Promise<string | undefined> {
  const tree = await newTree(createModel({ name: 'shop', module: 'shop', database, auth: true }))
  await addFeature(tree, featureOf('Tag name:string'))
  await addFeature(tree, featureOf('Article title:string body:text'))
  return tree.get('client/index.ts')
}
