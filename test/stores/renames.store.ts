import { createConnection } from 'mariadb'
import { expect, type TestContext, test } from 'vitest'
import { migrate } from '../../src/generator/migrate/migrate.ts'
import { renameMigration } from '../../src/generator/migrate/rename-migration.ts'
import type { Model } from '../../src/generator/model/model.ts'
import { type Rename, renameInModel } from '../../src/generator/model/rename.ts'
import type { StoreKind } from '../../src/generator/model/store-kinds.ts'
import { parseRename } from '../../src/generator/spec/rename.ts'
import { modelOf, searched } from '../support/generator/migrate/migrate.ts'
import { startMysql } from './servers/mysql.ts'
import { startParser } from './sqlserver/parser.ts'

/** Renames tables, columns, keys and indexes. The first exchanges the ends of the join table. */
const steps = [
  ['Post', 'Zebra'],
  ['Zebra.title', 'headline'],
  ['Zebra.code', 'number'],
  ['Zebra.parent_id', 'above_id'],
  ['Zebra.tags', 'labels'],
  ['Tag', 'Label'],
] as const

function blog(kind: StoreKind): Model {
  const model = modelOf(kind, {
    Tag: 'name:string,slug:string:unique',
    Post: 'title:string:index,code:string:optional:unique,parent_id:uint:fk(Post):optional,live:bool:default=false,tags:many(Tag)',
    Comment: 'post_id:uint:fk(Post):cascade,text:text',
  })
  return searched(model, { Post: ['title'] })
}

/** Returns the migrations of all steps, and the last model. */
function migrations(kind: StoreKind): { readonly sql: readonly string[]; readonly last: Model } {
  let model = blog(kind)
  const sql = steps.map(([from, to]) => {
    const next = renameInModel(model, parseRename(model, from, to) as Rename)
    const text = renameMigration(model, next)?.sql ?? ''
    model = next
    return text
  })
  return { sql, last: model }
}

test('a rename on mysql keeps every row and link, and leaves the tables of a new database', async (context) => {
  const mysql = await startMysql()
  if ('skipped' in mysql) return skip(context, mysql.skipped)
  const { hostname, port } = new URL(mysql.url)
  const client = await createConnection({
    host: hostname,
    port: Number(port),
    user: 'root',
    multipleStatements: true,
  })
  const tablesIn = async (database: string) => {
    const rows: { name: string }[] = await client.query(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ? ORDER BY 1',
      [database],
    )
    const texts = []
    for (const { name } of rows) {
      const [created] = await client.query(`SHOW CREATE TABLE \`${database}\`.\`${name}\``)
      const lines = String(created['Create Table'])
        .replace(/ AUTO_INCREMENT=\d+/, '')
        .split('\n')
      texts.push(lines.map((line) => line.replace(/,$/, '')).sort())
    }
    return texts
  }
  try {
    const { sql, last } = migrations('mysql')
    await client.query('CREATE DATABASE renamed; USE renamed')
    await client.query(migrate(undefined, blog('mysql'))?.sql ?? '')
    await client.query(`INSERT INTO tags (name, slug) VALUES ('one', 'one'), ('two', 'two');
      INSERT INTO posts (title, title_search, code) VALUES ('First', 'first', 'a'), ('Second', 'second', NULL);
      INSERT INTO comments (post_id, text) VALUES (1, 'hello'), (2, 'bye');
      INSERT INTO _posts_tags (A, B) VALUES (1, 2), (2, 1), (2, 2)`)
    for (const text of sql) await client.query(text)
    expect([
      ...(await client.query('SELECT headline, headline_search, number FROM zebras ORDER BY id')),
    ]).toEqual([
      { headline: 'First', headline_search: 'first', number: 'a' },
      { headline: 'Second', headline_search: 'second', number: null },
    ])
    expect([...(await client.query('SELECT zebra_id FROM comments ORDER BY id'))]).toEqual([
      { zebra_id: 1 },
      { zebra_id: 2 },
    ])
    expect([
      ...(await client.query('SELECT B AS zebra, A AS label FROM _zebras_labels ORDER BY 1, 2')),
    ]).toEqual([
      { zebra: 1, label: 2 },
      { zebra: 2, label: 1 },
      { zebra: 2, label: 2 },
    ])
    await client.query('CREATE DATABASE expected; USE expected')
    await client.query(migrate(undefined, last)?.sql ?? '')
    expect(await tablesIn('renamed')).toEqual(await tablesIn('expected'))
  } finally {
    await client.end()
    await mysql.stop()
  }
})

test('a rename on sqlserver is T-SQL that Microsoft’s parser accepts', async (context) => {
  const parser = await startParser()
  if ('skipped' in parser) return skip(context, parser.skipped)
  try {
    expect(await parser.refusals(migrations('sqlserver').sql)).toEqual([])
  } finally {
    await parser.stop()
  }
})

function skip(context: TestContext, reason: string): void {
  Object.assign(context.task.meta, { reason })
  context.skip(reason)
}
