import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addFeature, done, project, temporaryFolder } from '../../support/generator/folders.ts'
import { hashTree, treeFiles } from '../../support/tree.ts'

const wiring = ['client/index.ts', 'src/container.ts', 'src/routes.ts', 'test/support/memory.ts']

test.each([
  ['Book title:string', 'Author name:string'],
  ['BlogPost title:string', 'Post title:string'],
  ['Post title:string', 'PostTag name:string'],
])('the features %s and %s give the same files in either order', async (one, other) => {
  const forth = treeFiles(await project(one, other))
  const back = treeFiles(await project(other, one))
  const own = (path: string) => /^(src|test|client)\//.test(path) && !wiring.includes(path)
  expect([...forth.keys()].filter(own)).toEqual([...back.keys()].filter(own))
  for (const path of [...forth.keys()].filter(own)) {
    expect([path, forth.get(path)]).toEqual([path, back.get(path)])
  }
  for (const path of wiring) {
    expect(linesOf(forth.get(path))).toEqual(linesOf(back.get(path)))
  }
})

test.each([
  ['an entity named like the project', 'shop', 'Shop name:string', 'shops'],
  ['an entity whose name begins the project’s', 'bookstore', 'Book title:string', 'books'],
  ['a project named like a file', 'container', 'Container name:string', 'containers'],
])('the feature %s is wired like any other', async (_, name, feature, collection) => {
  const folder = temporaryFolder()
  await done(folder, 'init', name, '--no-install', '--no-git')
  await addFeature(join(folder, name), feature)
  const routes = readFileSync(join(folder, name, 'src/routes.ts'), 'utf8')
  expect(routes).toContain(`api.use('/${collection}', `)
  expect(readFileSync(join(folder, name, 'src/container.ts'), 'utf8')).toContain(
    `    ${collection}: create`,
  )
})

test('adding a feature changes no file of another feature', async () => {
  const root = await project('Book title:string')
  const before = treeFiles(root)
  await addFeature(root, 'Author name:string')
  const after = treeFiles(root)
  const changed = [...before.keys()].filter((path) => before.get(path) !== after.get(path))
  const shared = [...wiring, 'prisma/schema.prisma', 'scripts/seed.ts', 'strata.json']
  expect(changed.toSorted()).toEqual(
    [...shared, ...shared.map((path) => `.strata/base/${path}`)].toSorted(),
  )
})

test('a run in a subfolder works on the project', async () => {
  const root = await project()
  await addFeature(join(root, 'src/http'), 'Book title:string')
  expect(hashTree(root)).toBe(hashTree(await project('Book title:string')))
})

/** Sorts the features, whose order is otherwise the order of addition. */
function linesOf(text = ''): string[] {
  const items = text.split(/\n|,\s*|(?<=\[)|(?=\])/)
  return items
    .map((item) => item.trim())
    .filter(Boolean)
    .toSorted()
}
