import { format } from 'oxfmt'
import { expect, test } from 'vitest'
import { createModel } from '../../../src/generator/model/build.ts'
import {
  addFeature,
  changeModel,
  featureOf,
  modelOf,
  newTree,
  type Tree,
} from '../../support/generator/memory-project.ts'

const shop = createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: false })
const domain = 'src/domain/book.ts'

async function projectOf(...lines: readonly string[]): Promise<Tree> {
  const tree = await newTree(shop)
  for (const line of lines) await addFeature(tree, featureOf(line))
  return tree
}

function edit(tree: Tree, path: string, change: (text: string) => string): void {
  const before = tree.get(path) ?? ''
  const after = change(before)
  expect(after).not.toBe(before)
  tree.set(path, after)
}

test('a rule at the end of a domain file and a first filter after it are both kept', async () => {
  const tree = await projectOf('Book title:string')
  const rule =
    '\n/** Mine. */\nexport function isLong({ title }: Book): boolean {\n  return title.length > 9\n}\n'
  edit(tree, domain, (text) => text + rule)
  await addFeature(tree, featureOf('Book title:string sold:bool:default=false'))
  expect(tree.get(domain)).toContain('export interface BookFilter {')
  expect(tree.get(domain)).toContain(rule.trim())
})

test('an import above emitted imports does not conflict with a new import', async () => {
  const tree = await projectOf('Author name:string', 'Book title:string')
  edit(
    tree,
    domain,
    (text) => `import { AppError } from './app-error.js'\n${text}export const mine = AppError\n`,
  )
  await addFeature(tree, featureOf('Book title:string authors:many(Author)'))
  expect(tree.get(domain)).toContain("import { AppError } from './app-error.js'\n")
  expect(tree.get(domain)).toContain("import type { Author } from './author.js'")
})

test('members of one interface, added next to each other, are both kept', async () => {
  const tree = await projectOf('Book title:string')
  edit(tree, domain, (text) =>
    text.replace('  title: string\n', '  title: string\n  /** Mine. */\n  shelf?: string\n'),
  )
  await addFeature(tree, featureOf('Book title:string pages:uint:optional'))
  expect(tree.get(domain)).toMatch(
    /title: string\n {2}pages: number \| null\n {2}\/\*\* Mine. \*\/\n {2}shelf\?: string/,
  )
})

test('a removed field goes from a reformatted file with own members', async () => {
  const tree = await projectOf('Book title:string pages:uint:optional')
  const { code } = await format(domain, tree.get(domain) ?? '', { printWidth: 80 })
  tree.set(
    domain,
    code.replace('pages: number | null;', 'pages: number | null;\n  shelf?: string;'),
  )
  await addFeature(tree, featureOf('Book title:string'), { allowDestructive: true })
  expect(tree.get(domain)).toContain('  title: string;\n  shelf?: string;\n')
  expect(tree.get(domain)).not.toContain('pages')
})

test("a person's packages, scripts and newer versions stay if the store changes", async () => {
  const tree = await projectOf('Book title:string')
  edit(tree, 'package.json', (text) =>
    text
      .replace('"dependencies": {', '"dependencies": {\n    "@acme/tax": "1.0.0",')
      .replace(/"express": "[^"]*"/, '"express": "5.99.0"')
      .replace('"scripts": {', '"scripts": {\n    "mine": "node mine.js",'),
  )
  await changeModel(tree, { ...modelOf(tree), database: 'mongodb' })
  const { dependencies, scripts } = JSON.parse(tree.get('package.json') ?? '')
  expect(dependencies).toMatchObject({ '@acme/tax': '1.0.0', express: '5.99.0' })
  expect(dependencies).toHaveProperty('mongodb')
  expect(dependencies).not.toHaveProperty('@prisma/client')
  expect(scripts.mine).toBe('node mine.js')
})

test('a model and a field of a person stay in schema.prisma', async () => {
  const tree = await projectOf('Book title:string')
  const path = 'prisma/schema.prisma'
  const mine = 'model Report {\n  id Int @id\n}\n'
  edit(
    tree,
    path,
    (text) => `${text.replace(/( +)title .*\n/, '$&$1shelf String?\n')}\n// Mine.\n${mine}`,
  )
  await addFeature(tree, featureOf('Book title:string pages:uint:optional'))
  await addFeature(tree, featureOf('Author name:string'))
  const schema = tree.get(path)
  expect(schema).toContain(`// Mine.\n${mine}`)
  expect(schema).toMatch(/title .*\n {2}pages .*\n {2}shelf String\?/)
  expect(schema).toContain('model Author {')
})

test('a conflict shows the smallest place, and --keep takes all other changes', async () => {
  const tree = await projectOf('Book title:string pages:uint:optional')
  edit(
    tree,
    domain,
    (text) =>
      `${text.replace('title: string', 'title: Uppercase<string>')}\nexport const mine = 1\n`,
  )
  const changed = featureOf(
    'Book title:string:optional pages:uint:optional sold:bool:default=false',
  )
  await expect(addFeature(tree, changed)).rejects.toMatchObject({
    details: [
      `${domain}: you and the generator changed the same lines`,
      '<<<<<<< yours\nUppercase<string>\n=======\nstring | null\n>>>>>>> generated',
    ],
  })
  const kept = new Map(tree)
  await addFeature(kept, changed, { keep: true })
  expect(kept.get(domain)).toContain('title: Uppercase<string>\n')
  expect(kept.get(domain)).toContain('sold: boolean\n')
  await addFeature(tree, changed, { theirs: [domain] })
  expect(tree.get(domain)).toContain('title: string | null\n')
  expect(tree.get(domain)).toContain('export const mine = 1\n')
})
