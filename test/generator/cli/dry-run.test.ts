import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { done, project, temporaryFolder } from '../../support/generator/folders.ts'
import { hashTree } from '../../support/tree.ts'

const init = ['init', 'shop', '--no-install', '--no-git']
const author = ['feature', 'Author', 'name:string']

test('init --dry-run creates nothing and prints the output of the real run except for the verb', async () => {
  const folder = temporaryFolder()
  const dry = await done(folder, ...init, '--dry-run')
  expect(existsSync(join(folder, 'shop'))).toBe(false)
  const real = await done(folder, ...init)
  const [written, next] = real.split('\n\nNext:\n')
  expect(dry.trimEnd()).toBe(written?.replace('created shop/', 'would create shop/'))
  expect(next).toContain('  cd shop\n  npm install\n')
})

test.each([
  ['a new project', (_: string) => {}],
  ['a project with edited wiring', editWiring],
])(
  'feature --dry-run in %s changes no byte and prints the output of the real run',
  async (_, edit) => {
    const root = await project('Book title:string')
    edit(root)
    const before = hashTree(root)
    const dry = await done(root, ...author, '--dry-run')
    const dryJson = await done(root, ...author, '--dry-run', '--json')
    expect(hashTree(root)).toBe(before)
    const real = await done(root, ...author)
    expect(dry).toBe(real.replace(/^wrote/, 'would write'))
    expect(hashTree(root)).not.toBe(before)
    expectWritten(root, dryJson)
  },
)

test('a change of fields with --dry-run changes no byte and writes no migration', async () => {
  const root = await project('Book title:string')
  const before = hashTree(root)
  const change = ['feature', 'Book', 'title:string', 'pages:uint:default=0']
  const dry = await done(root, ...change, '--dry-run')
  expect(hashTree(root)).toBe(before)
  expect(dry).toContain('create  prisma/migrations/0002_change_books/migration.sql')
  expect(dry).toBe((await done(root, ...change)).replace(/^wrote/, 'would write'))
})

test('a run with --json prints exactly the plan of its changes', async () => {
  const folder = temporaryFolder()
  const root = join(folder, 'shop')
  const dry = await done(folder, ...init, '--database', 'postgres', '--json', '--dry-run')
  const created = await done(folder, ...init, '--database', 'postgres', '--json')
  expect(created).toBe(dry)
  expectWritten(root, created)
  expect(plan.parse(JSON.parse(created)).actions.find(({ path }) => path === '.env')).toEqual({
    path: '.env',
    action: 'create',
    before: null,
    after: null,
    reason: 'settings that git does not track',
    risk: 'none',
  })

  expectWritten(root, await done(root, ...author, '--json'))
  const again = plan.parse(JSON.parse(await done(root, ...author, '--json')))
  expect(new Set(again.actions.map(({ action }) => action))).toEqual(new Set(['skip']))
})

test('--json marks a merged file as review and a lost column as data-loss', async () => {
  const root = await project('Book title:string isbn:string')
  const file = join(root, 'src/domain/book.ts')
  writeFileSync(file, `${readFileSync(file, 'utf8')}\nexport const mine = 1\n`)
  const change = ['feature', 'Book', 'title:string', '--allow-destructive', '--json']
  const { actions } = plan.parse(JSON.parse(await done(root, ...change)))
  const risks = actions.filter(({ risk }) => risk !== 'none').map(({ path, risk }) => [path, risk])
  expect(risks).toEqual([
    ['prisma/migrations/0002_change_books/migration.sql', 'data-loss'],
    ['src/domain/book.ts', 'review'],
  ])
})

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const plan = z.strictObject({
  root: z.string(),
  losses: z.optional(z.array(z.string())),
  deploy: z.optional(z.object({ bothVersions: z.literal(false), faults: z.array(z.string()) })),
  actions: z.array(
    z.strictObject({
      path: z.string(),
      action: z.enum(['create', 'edit', 'delete', 'skip']),
      before: sha256.nullable(),
      after: sha256.nullable(),
      reason: z.string(),
      risk: z.enum(['none', 'review', 'data-loss']),
    }),
  ),
})

/** Checks that every file has the hash of the plan. */
function expectWritten(root: string, json: string): void {
  const { actions, root: planned } = plan.parse(JSON.parse(json))
  expect(planned).toBe(root)
  expect(actions.map(({ path }) => path)).toEqual(actions.map(({ path }) => path).toSorted())
  for (const { path, action, after } of actions) {
    if (action === 'skip' || after === null) continue
    const written = createHash('sha256')
      .update(readFileSync(join(root, path)))
      .digest('hex')
    expect([path, written]).toEqual([path, after])
  }
}

function editWiring(root: string): void {
  for (const path of [
    'src/container.ts',
    'src/routes.ts',
    'client/index.ts',
    'test/support/memory.ts',
  ]) {
    const file = join(root, path)
    writeFileSync(file, `// mine\n${readFileSync(file, 'utf8')}// mine too\n`)
  }
}
