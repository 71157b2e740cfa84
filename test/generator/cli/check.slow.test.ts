import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { temporaryFolder } from '../../support/generator/folders.ts'
import { ended, start, strata } from '../../support/generator/strata.ts'
import { hashTree } from '../../support/tree.ts'

const repository = fileURLToPath(new URL('../../../', import.meta.url))
const names = ['model', 'types', 'lint', 'tests', 'boot', 'openapi', 'database']

const answer = z.object({
  checks: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['passed', 'failed', 'skipped']),
      details: z.array(z.string()).optional(),
    }),
  ),
})

/** The user application with installed packages. */
function userApp(): string {
  const root = join(temporaryFolder(), 'user-app')
  const made = /\/(node_modules|dist|generated|data)$/
  cpSync(join(repository, 'examples/user-app'), root, {
    recursive: true,
    filter: (path) => !made.test(path),
  })
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))
  return root
}

function edit(root: string, path: string, change: (text: string) => string): void {
  const before = readFileSync(join(root, path), 'utf8')
  const after = change(before)
  expect(after).not.toBe(before)
  writeFileSync(join(root, path), after)
}

test('an emitted application passes every check without a changed file', async () => {
  const root = userApp()
  const sources = { ignore: ['dist', 'src/generated'] }
  const before = hashTree(root, sources)
  const { code, stdout, stderr } = await strata(root, ['check'])
  expect({ code, stdout }, stderr).toEqual({
    code: 0,
    stdout: names.map((name) => `✓ ${name}\n`).join(''),
  })
  expect(hashTree(root, sources)).toBe(before)
})

test('each check finds the fault made for it', async () => {
  const root = userApp()
  const [migration = ''] = readdirSync(join(root, 'prisma/migrations'))
  edit(root, 'strata.json', (text) => text.replace('"email:', '"nick:string:optional", "email:'))
  edit(root, 'src/app.ts', (text) => `${text}const unused: number = 'text'\n`)
  edit(root, 'src/domain/user.ts', (text) => `${text}\n\n\n`)
  edit(root, 'src/routes.ts', (text) => text.replace(/= \[.*\]/, '= []'))
  edit(root, `prisma/migrations/${migration}/migration.sql`, (text) =>
    text.replace(/CREATE INDEX [^;]*;/, ''),
  )
  const { code, stdout, stderr } = await strata(root, ['check', '--json'])
  expect(code).toBe(5)
  expect(stderr).toMatch(/^error: \d of 7 checks failed: model, types, lint, tests, boot/)
  const checks = new Map(answer.parse(JSON.parse(stdout)).checks.map((each) => [each.name, each]))
  expect([...checks.keys()]).toEqual(names)
  expect(checks.get('model')?.details).toEqual([
    'strata.json has changes that are not applied (User): apply them with strata sync',
  ])
  expect(checks.get('types')?.details?.join('\n')).toMatch(/src\/app\.ts\(\d+,\d+\): error TS/)
  expect(checks.get('boot')?.kind).toBe('failed')
  expect(checks.get('database')?.kind).toBe('skipped')

  edit(root, 'src/app.ts', (text) => text.replace(/const unused.*\n/, ''))
  const second = await strata(root, ['check', '--json'])
  const then = new Map(
    answer.parse(JSON.parse(second.stdout)).checks.map((each) => [each.name, each]),
  )
  expect(then.get('types')?.kind).toBe('passed')
  expect(then.get('lint')?.kind).toBe('failed')
  expect(then.get('openapi')?.details).toContain('/openapi.json has no GET /api/v1/users')
  expect(then.get('database')?.details).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^the migrations do not create index users_created_at_id_idx/),
      expect.stringMatching(/^the migrations do not create column users\.nick/),
    ]),
  )
})

test('lists objects of own migrations as yours', async () => {
  const root = userApp()
  mkdirSync(join(root, 'prisma/migrations/0002_mine'))
  writeFileSync(
    join(root, 'prisma/migrations/0002_mine/migration.sql'),
    'ALTER TABLE users ADD COLUMN rating INTEGER; CREATE INDEX mine ON users (rating); CREATE VIEW old AS SELECT * FROM users; CREATE TABLE notes (text TEXT)',
  )
  const { code, stdout } = await strata(root, ['check'])
  expect({ code, lines: stdout.split('✓ database\n')[1] }).toEqual({
    code: 0,
    lines:
      '  yours: column users.rating INTEGER\n  yours: index mine on users (rating)\n  yours: table notes\n  yours: view old\n',
  })
})

test('a signal stops strata check at the current check and leaves no folder', async () => {
  const root = userApp()
  const TMPDIR = join(root, '../tmp')
  mkdirSync(TMPDIR)
  const child = start(root, ['check'], { env: { TMPDIR } })
  const end = ended(child)
  child.stdout?.on('data', (text: string) => {
    if (text.includes('lint')) child.kill('SIGTERM')
  })
  const { code, stdout, stderr } = await end
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '✓ model\n✓ types\n✓ lint\n',
    stderr: 'error: interrupted at tests\n',
  })
  expect(readdirSync(TMPDIR).filter((name) => name.startsWith('strata-check-'))).toEqual([])
})

test('strata check exits with 4 outside a project', async () => {
  expect((await strata(temporaryFolder(), ['check'])).code).toBe(4)
})
