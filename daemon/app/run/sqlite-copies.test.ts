import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRig, type Rig } from '../../../test/support/daemon/app/rig.ts'

let rig: Rig
beforeEach(async () => {
  rig = await createRig()
  rig.builder.launch = { ...rig.builder.launch, store: { kind: 'sqlite', data: 'copy' } }
})
afterEach(async () => {
  await rig.close()
})

function volumeOf(branch: string): string {
  const folder = join(rig.dataDir, 'volumes', String(rig.project.id))
  const name = readdirSync(folder).find((each) => each.startsWith(`${branch}-`))
  if (name === undefined) throw new Error(`no volume of ${branch}`)
  return join(folder, name)
}

function withDatabase<T>(
  branch: string,
  work: (database: InstanceType<typeof DatabaseSync>) => T,
): T {
  const database = new DatabaseSync(join(volumeOf(branch), 'app.db'))
  try {
    return work(database)
  } finally {
    database.close()
  }
}

const rowsOf = (branch: string) =>
  withDatabase(branch, (database) => database.prepare('SELECT text FROM notes').all())

async function deployed(branch: string): Promise<void> {
  rig.commit(branch)
  await rig.deployed(branch)
}

test('a preview begins with copies of the SQLite databases of the default branch, once', async () => {
  await deployed('main')
  const open = new DatabaseSync(join(volumeOf('main'), 'app.db'))
  open.exec(
    "PRAGMA journal_mode = WAL; CREATE TABLE notes (text); INSERT INTO notes VALUES ('one')",
  )
  writeFileSync(join(volumeOf('main'), 'upload.txt'), 'a file')
  await deployed('preview')
  open.close()
  expect(rowsOf('preview')).toEqual([{ text: 'one' }])
  expect(existsSync(join(volumeOf('preview'), 'upload.txt'))).toBe(false)
  withDatabase('preview', (database) => database.exec('DELETE FROM notes'))
  expect(rowsOf('main')).toEqual([{ text: 'one' }])
  await deployed('preview')
  expect(rowsOf('preview')).toEqual([])
  expect(readdirSync(join(rig.dataDir, 'trash'))).toEqual([])
})

test('a preview begins empty if the app wishes no copy', async () => {
  rig.builder.launch = { ...rig.builder.launch, store: { kind: 'sqlite', data: 'empty' } }
  await deployed('main')
  withDatabase('main', (database) => database.exec('CREATE TABLE notes (text)'))
  await deployed('preview')
  expect(readdirSync(volumeOf('preview'))).toEqual([])
})
