import { describe, expect, test } from 'vitest'
import { createModel } from '../../../src/generator/model/build.ts'
import { wholeProject } from '../../../src/generator/plan/affected-files.ts'
import { basePath } from '../../../src/generator/plan/base.ts'
import {
  addFeature,
  featureOf,
  modelOf,
  newTree,
  renameIn,
  type Tree,
} from '../../support/generator/memory-project.ts'

async function blog(database: 'sqlite' | 'postgres' | 'mongodb' = 'sqlite'): Promise<Tree> {
  const tree = await newTree(createModel({ name: 'shop', module: 'shop', database, auth: false }))
  await addFeature(tree, featureOf('Tag name:string'))
  await addFeature(
    tree,
    featureOf('Post title:string:index body:text tags:many(Tag) --search=title'),
  )
  await addFeature(tree, featureOf('Comment post_id:uint:fk:cascade text:string'))
  return tree
}

const isMigration = (path: string) => path.startsWith('prisma/migrations/0')

/** Compares the tree with a project that was emitted with the new names from the start. */
async function expectAsEmitted(tree: Tree): Promise<void> {
  const emitted = await wholeProject(modelOf(tree))
  for (const [path, text] of emitted) {
    expect(tree.get(path), path).toBe(text)
    expect(tree.get(basePath(path)), basePath(path)).toBe(text)
  }
  const own = [...tree.keys()].filter(
    (path) =>
      !path.startsWith('.strata/') &&
      !isMigration(path) &&
      !emitted.has(path) &&
      !['strata.json', '.env'].includes(path),
  )
  expect(own).toEqual([])
}

describe('strata rename of untouched code', () => {
  test('writes a field as if the project had been emitted with the new name', async () => {
    const tree = await blog()
    await renameIn(tree, 'Post.title', 'headline')
    await expectAsEmitted(tree)
    expect(modelOf(tree).features[1]).toMatchObject({ search: ['headline'] })
  })

  test('writes an entity as if the project had been emitted with the new name', async () => {
    const tree = await blog()
    await renameIn(tree, 'Post', 'Article')
    await expectAsEmitted(tree)
    expect(tree.has('src/domain/post.ts')).toBe(false)
    expect(modelOf(tree).features[2]?.fields[0]).toMatchObject({
      name: 'article_id',
      references: { target: 'Article', cascade: true },
    })
  })

  test('lists the names for the app of a store of documents, and keeps them in later changes', async () => {
    const tree = await blog('mongodb')
    expect(tree.has('src/infra/renames.ts')).toBe(false)
    await renameIn(tree, 'Post', 'Article')
    await renameIn(tree, 'Article.title', 'headline')
    await addFeature(tree, featureOf('Tag name:string color:string:optional'))
    await expectAsEmitted(tree)
    const renames = [
      {
        posts: 'articles',
        'comments.post_id': 'comments.article_id',
      },
      { 'articles.title': 'articles.headline' },
    ]
    expect(modelOf(tree).renames).toEqual(renames)
    expect(tree.get('src/infra/renames.ts')).toContain(
      "  { collections: { posts: 'articles' }, fields: { comments: { post_id: 'article_id' } } },\n" +
        "  { collections: {}, fields: { articles: { title: 'headline' } } },\n",
    )
  })

  test('refuses a file of yours at the path of a file that the rename adds', async () => {
    const tree = await blog('mongodb')
    tree.set('src/infra/renames.ts', 'export const mine = 1\n')
    await expect(renameIn(tree, 'Post', 'Article')).rejects.toThrow(
      'src/infra/renames.ts exists, and the rename needs that path',
    )
  })

  test('there and back leaves nothing but the migrations', async () => {
    const tree = await blog()
    const before = new Map(tree)
    for (const [from, to] of [
      ['Post.title', 'headline'],
      ['Post.headline', 'title'],
      ['Post', 'Zebra'],
      ['Zebra', 'Post'],
      ['Post.tags', 'labels'],
      ['Post.labels', 'tags'],
    ] as const)
      await renameIn(tree, from, to)
    const added = [...tree.keys()].filter((path) => !before.has(path))
    expect(added).toHaveLength(6)
    expect(added.every(isMigration)).toBe(true)
    for (const path of added) tree.delete(path)
    expect(tree).toEqual(before)
  })
})

describe('strata rename of a person’s code', () => {
  test('renames a field in edited files and in files of their own', async () => {
    const tree = await blog()
    edit(
      tree,
      'src/domain/post.ts',
      (text) => `${text}
/** The start of a post. */
export function excerpt({ title, body }: Post): string {
  return \`\${title}: \${body.slice(0, 20)}\`
}
`,
    )
    tree.set(
      'src/use-cases/report.ts',
      `import { excerpt, type Post } from '../domain/post.js'

interface Book {
  title: string
}

export function report(posts: Post[], books: Book[]): string[] {
  const titles = posts.map((post) => post.title.toUpperCase())
  return [...titles, ...posts.map(excerpt), ...books.map((book) => book.title)]
}
`,
    )
    const plan = await renameIn(tree, 'Post.title', 'headline')
    expect(tree.get('src/domain/post.ts')).toContain('excerpt({ headline: title, body }: Post)')
    expect(tree.get('src/use-cases/report.ts')).toContain('post.headline.toUpperCase()')
    expect(tree.get('src/use-cases/report.ts')).toContain('book.title')
    expect(plan.notes).toEqual([])
  })

  test('renames an entity in edited files, in files of their own and in imports', async () => {
    const tree = await blog()
    edit(tree, 'src/use-cases/post.service.ts', (text) =>
      text.replace('interface Dependencies', '/** Mine. */\ninterface Dependencies'),
    )
    edit(tree, 'src/container.ts', (text) =>
      text.replace('export type Container', '// Mine.\nexport type Container'),
    )
    tree.set(
      'src/use-cases/report.ts',
      `import type { Container } from '../container.js'
import type { Post } from '../domain/post.js'

export const first = (container: Container, post: Post) => container.posts.find(post.id)
`,
    )
    await renameIn(tree, 'Post', 'Article')
    expect(tree.get('src/use-cases/article.service.ts')).toContain('/** Mine. */')
    expect(tree.get('src/use-cases/article.service.ts')).toContain('createArticleService')
    expect(tree.get('src/container.ts')).toContain('// Mine.')
    expect(tree.get('src/use-cases/report.ts')).toBe(
      `import type { Container } from '../container.js'
import type { Article } from '../domain/article.js'

export const first = (container: Container, post: Article) => container.articles.find(post.id)
`,
    )
  })

  test('keeps an edit between emitted lines that change, and renames queries in it', async () => {
    const tree = await blog()
    const path = 'src/repositories/post.repository.prisma.ts'
    edit(tree, path, (text) =>
      text.replace(
        '    async list(query) {',
        `    // Mine: the newest.
    async list(query) {
      await prisma.post.findFirst({ where: { title: 'title' }, select: { title: true } })`,
      ),
    )
    const before = new Map(tree)
    await renameIn(tree, 'Post.title', 'headline')
    const renamed = tree.get(path) ?? ''
    expect(renamed).toContain(
      "findFirst({ where: { headline: 'title' }, select: { headline: true } })",
    )
    expect(renamed.split('return {')).toHaveLength(before.get(path)?.split('return {').length ?? 0)
    const emitted = (await wholeProject(modelOf(tree))).get(path)?.split('\n') ?? []
    const added = renamed.split('\n').filter((line) => !emitted.includes(line))
    expect(added).toHaveLength(2)
    await renameIn(tree, 'Post.headline', 'title')
    expect(tree.get(path)).toBe(before.get(path))
  })

  test('renames members of rows that Prisma computes, and no members of other computed types', async () => {
    const tree = await blog()
    tree.set(
      'src/generated/prisma/client.ts',
      'export type Row<T> = { [K in Exclude<keyof T, number>]: string }\n',
    )
    tree.set(
      'src/own.ts',
      `import type { Row } from './generated/prisma/client.js'

declare const row: Row<{ id: 1; title: 1 }>
declare const other: { [K in 'id' | 'title']: string }
export const values = [row.title, other.title]
`,
    )
    const plan = await renameIn(tree, 'Post.title', 'headline')
    expect(tree.get('src/own.ts')).toContain('[row.headline, other.title]')
    expect(plan.notes).toContainEqual(expect.stringMatching(/^src\/own\.ts:5: /))
  })

  test('renames a field with a rule of yours in its schema, once', async () => {
    const tree = await blog()
    await addFeature(tree, featureOf('Author name:string'))
    const path = 'src/handlers/author.schema.ts'
    const rule = ".refine((value) => value !== 'x'),"
    tree.set(path, tree.get(path)?.replace(/( {2}name: text\(.*\)),/, `$1${rule}`) ?? '')
    await renameIn(tree, 'Author.name', 'full_name')
    const schema = tree.get(path)
    expect(schema).toContain(`  full_name: text({ min: 1, max: 255 })${rule}`)
    expect(schema).toContain('full_name: author.fullName,')
    expect(schema).not.toMatch(/\bname:/)
  })

  test('renames in a reformatted file, its strings included', async () => {
    const tree = await blog()
    const path = 'src/handlers/post.schema.ts'
    edit(tree, path, (text) => text.replaceAll("'", '"').replace(/(?<=[^\n{(,[])$/gm, ';'))
    await renameIn(tree, 'Post', 'Article')
    const renamed = tree.get('src/handlers/article.schema.ts')
    expect(renamed).toContain('path: "/api/v1/articles"')
    expect(renamed).not.toMatch(/\bposts?\b/i)
  })

  test('carries a person’s lines of schema.prisma', async () => {
    const tree = await blog()
    edit(tree, 'prisma/schema.prisma', (text) =>
      text.replace('  @@index([title])', '  @@index([title])\n  @@index([title, body])'),
    )
    await renameIn(tree, 'Post.title', 'headline')
    const schema = tree.get('prisma/schema.prisma')
    expect(schema).toContain('  @@index([headline])\n  @@index([headline, body])')
  })

  test('lists strings, values without a type, JSON and SQL that contain the name', async () => {
    const tree = await blog('postgres')
    tree.set(
      'src/own.ts',
      `const sql = 'SELECT title FROM posts'
declare const row: any
export const values = [sql, row.title]
`,
    )
    tree.set('test/fixtures/posts.json', '[\n  { "title": "a" }\n]\n')
    tree.set(
      'prisma/migrations/0004_view/migration.sql',
      'CREATE VIEW "v" AS SELECT "title" FROM "posts";\n',
    )
    const plan = await renameIn(tree, 'Post.title', 'headline')
    expect(plan.notes).toEqual([
      "src/own.ts:1: const sql = 'SELECT title FROM posts'",
      'src/own.ts:3: export const values = [sql, row.title]',
      'test/fixtures/posts.json:2: { "title": "a" }',
      'prisma/migrations/0004_view/migration.sql:1: CREATE VIEW "v" AS SELECT "title" FROM "posts";',
    ])
  })

  test('refuses to overwrite a file of their own', async () => {
    const tree = await blog()
    tree.set('src/domain/article.ts', 'export const mine = 1\n')
    const before = new Map(tree)
    await expect(renameIn(tree, 'Post', 'Article')).rejects.toThrow(
      'src/domain/article.ts exists, and src/domain/post.ts would move there',
    )
    expect(tree).toEqual(before)
  })
})

describe('strata rename refuses', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['Post.titel', 'headline', 'there is no field titel in Post: did you mean title?'],
    ['Post.title', 'body', 'the field body already exists in Post'],
    ['Post.title', 'id', 'id is managed'],
    ['Post.title', 'Post.headline', 'write only the new name: headline'],
    ['Comment.post_id', 'post', 'the name of a foreign key ends in _id: write post_id'],
    ['Pos', 'Article', 'there is no feature Pos: did you mean Post?'],
    ['Post', 'Tag', 'there already is a feature Tag'],
  ]
  test.each(cases)('%s to %s', async (from, to, message) => {
    const tree = await blog()
    await expect(renameIn(tree, from, to)).rejects.toThrow(message)
  })
})

function edit(tree: Tree, path: string, change: (text: string) => string): void {
  const text = tree.get(path) ?? ''
  const next = change(text)
  expect(next, path).not.toBe(text)
  tree.set(path, next)
}
