import { expect, test } from 'vitest'
import { createModel } from '../model/build.ts'
import type { StoreKind } from '../model/store-kinds.ts'
import { migrationTo } from './migration.ts'

const columns = /"(kept_token|revoked_tokens|role|token_version)"/g

test.each<[string, string, readonly string[]]>([
  [
    'an earlier strata',
    'model User {\n  id Int @id\n}\n',
    ['kept_token', 'revoked_tokens', 'role', 'token_version'],
  ],
  ['this strata', 'model User {\n  tokenVersion Int @default(0)\n}\n', []],
])('a project of %s gets the missing columns of users', async (_, schema, added) => {
  const change = changeOf('postgres', (path) =>
    path.endsWith('schema.prisma') ? schema : undefined,
  )
  const [migration] = (await migrationTo(change, false)).actions
  const text = migration && 'after' in migration ? String(migration.after) : ''
  expect([...text.matchAll(columns)].map(([, name]) => name)).toEqual(added)
})

test('a project without the text of its schema gets no columns', async () => {
  expect(
    (
      await migrationTo(
        changeOf('postgres', () => undefined),
        false,
      )
    ).actions,
  ).toEqual([])
})

function changeOf(database: StoreKind, readFile: (path: string) => string | undefined) {
  const model = createModel({ name: 'app', module: 'app', database, auth: true })
  return { before: model, after: model, readFile, listFolders: () => [], listFiles: () => [] }
}
