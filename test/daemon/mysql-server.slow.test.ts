import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createConnection } from 'mariadb'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createMysqlServer } from '../../daemon/databases/mysql.ts'
import { redacted } from '../../daemon/domain/redacted.ts'
import type { DatabaseAccess, DatabaseServer } from '../../daemon/ports.ts'
import { createOpenWalls } from '../../daemon/walls/open-walls.ts'
import {
  grantsIn,
  type MysqlServer,
  startMysqlServer,
  whyNoMysql,
  withMysql,
} from '../support/mysql.ts'

const reason = whyNoMysql()
const end = '-- Dump completed\n'

describe.skipIf(reason)(
  `databases of branches on MariaDB${reason ? `, for ${reason}` : ''}`,
  () => {
    let mysql: MysqlServer
    let server: DatabaseServer
    let folder: string
    const walls = createOpenWalls('the programs run as the user of the tests')
    const path = process.env.PATH ?? ''
    const access = (name: string): DatabaseAccess => ({
      name,
      password: redacted(`${name}-password`),
    })
    // As a pattern of GRANT, the name of the first one would match the name of the second one.
    const [shop, blog] = [access('st_1_main_00000001'), access('st_11main_00000001')]
    const urlOf = (one: DatabaseAccess) => server.urlOf(one).reveal()
    const rows = (url: string, sql: string) => withMysql(url, (client) => client.query(sql))
    const options = () => ({ projectId: 1, signal: AbortSignal.timeout(60_000) })
    const load = (target: DatabaseAccess, sql: string) =>
      server.load(target, Readable.from([Buffer.from(sql)]), options())
    async function empty(name: string): Promise<DatabaseAccess> {
      const target = access(name)
      await server.create(target)
      onTestFinished(() => server.drop(name))
      return target
    }

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'strata-mysql-'))
      mysql = await startMysqlServer(grantsIn(readFileSync('docs/databases.md', 'utf8')))
      server = createMysqlServer({ url: redacted(mysql.url), cells: walls, path })
      await server.create(shop)
      await server.create(blog)
      await rows(
        urlOf(blog),
        `CREATE TABLE notes (text varchar(99)); INSERT INTO notes VALUES ('of the blog');
         CREATE PROCEDURE tell() SELECT text FROM notes`,
      )
    })
    afterAll(async () => {
      for (const { name } of server ? [shop, blog] : []) await server.drop(name)
      await mysql?.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    test('a user creates tables in its own database, and creating the database again keeps them', async () => {
      expect(await server.sizeOf(shop.name)).toBe(0)
      expect(await server.sizeOf('st_absent')).toBeUndefined()
      await rows(urlOf(shop), "CREATE TABLE notes (text text); INSERT INTO notes VALUES ('é🙂')")
      await server.create(shop)
      expect(await rows(urlOf(shop), 'SELECT text FROM notes')).toEqual([{ text: 'é🙂' }])
      expect(await server.exists(shop.name)).toBe(true)
      expect(await server.sizeOf(shop.name)).toBeGreaterThan(10_000)
    })

    const denied = /denied|command denied|need .* privilege/
    test.each([
      [`SELECT * FROM ${blog.name}.notes`],
      [`INSERT INTO ${blog.name}.notes VALUES ('x')`],
      [`USE ${blog.name}`],
      [`HANDLER ${blog.name}.notes OPEN`],
      [`CALL ${blog.name}.tell()`],
      [`CREATE VIEW seen AS SELECT * FROM ${blog.name}.notes`],
      [`CREATE TABLE taken AS SELECT * FROM ${blog.name}.notes`],
      [`CREATE TRIGGER spy AFTER INSERT ON ${blog.name}.notes FOR EACH ROW SET @a = 1`],
      [`RENAME TABLE ${blog.name}.notes TO ${shop.name}.taken`],
      [`DROP DATABASE ${blog.name}`],
      ['CREATE DATABASE other'],
      ['CREATE USER other'],
      [`GRANT SELECT ON ${blog.name}.* TO '${shop.name}'@'%'`],
      [`GRANT SELECT ON ${shop.name}.* TO '${blog.name}'@'%'`],
      [`GRANT FILE ON *.* TO '${shop.name}'@'%'`],
      [`SHOW GRANTS FOR '${blog.name}'@'%'`],
      [`SET PASSWORD FOR '${blog.name}'@'%' = PASSWORD('x')`],
      [`ALTER USER '${shop.name}'@'%' WITH MAX_USER_CONNECTIONS 1000`],
      ["SELECT 1 INTO OUTFILE '/tmp/strata-outfile'"],
      ["LOAD DATA INFILE '/etc/passwd' INTO TABLE notes"],
      ['SELECT authentication_string FROM mysql.user'],
      [`CREATE DEFINER='${blog.name}'@'%' PROCEDURE act() SELECT 1`],
      ['CREATE EVENT later ON SCHEDULE EVERY 1 SECOND DO SELECT 1'],
      ['SET GLOBAL max_connections = 1'],
      ['FLUSH TABLES'],
    ])('a user may not run %s', async (sql) => {
      await expect(rows(urlOf(shop), sql)).rejects.toThrow(denied)
    })

    test('a user reads no file, and sees neither databases, tables, users nor statements of others', async () => {
      const seen = async (sql: string) => JSON.stringify(await rows(urlOf(shop), sql))
      expect(await rows(urlOf(shop), "SELECT LOAD_FILE('/etc/passwd') AS text")).toEqual([
        { text: null },
      ])
      const client = await createConnection(urlOf(blog).replace('mysql:', 'mariadb:'))
      onTestFinished(() => client.destroy())
      for (const sql of [
        'SHOW DATABASES',
        'SELECT * FROM information_schema.SCHEMATA',
        'SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES',
        'SELECT * FROM information_schema.ROUTINES',
        'SELECT * FROM information_schema.USER_PRIVILEGES',
        'SELECT * FROM information_schema.SCHEMA_PRIVILEGES',
        'SELECT * FROM information_schema.INNODB_SYS_TABLES LIMIT 0',
        'SHOW FULL PROCESSLIST',
      ]) {
        const text = await seen(sql).catch((error: unknown) => String(error))
        expect(text, sql).not.toMatch(/st_11main(?!.*command denied)/)
      }
    })

    test('the log of the server never has the password of a user', async () => {
      await rows(mysql.rootUrl, "SET GLOBAL log_output = 'TABLE'; SET GLOBAL general_log = 1")
      await server.create(shop)
      await rows(mysql.rootUrl, 'SET GLOBAL general_log = 0')
      const log = await rows(
        mysql.rootUrl,
        'SELECT CONVERT(argument USING utf8mb4) AS text FROM mysql.general_log',
      )
      const text = JSON.stringify(log)
      expect(text).toContain(`ALTER USER '${shop.name}'`)
      expect(text).not.toContain(shop.password.reveal())
    })

    test('a user has at most 30 connections', async () => {
      const clients = await Promise.all(
        Array.from({ length: 30 }, () =>
          createConnection(urlOf(shop).replace('mysql:', 'mariadb:')),
        ),
      )
      onTestFinished(() => {
        for (const client of clients) client.destroy()
      })
      await expect(rows(urlOf(shop), 'SELECT 1')).rejects.toThrow('max_user_connections')
    })

    test('a revoked user loses its connections and gets them again with create', async () => {
      const client = await createConnection(urlOf(blog).replace('mysql:', 'mariadb:'))
      const lost = new Promise((resolve) => client.on('error', resolve))
      await server.revoke(blog.name)
      await lost
      await expect(rows(urlOf(blog), 'SELECT 1')).rejects.toThrow('account is locked')
      await server.create(blog)
      expect(await rows(urlOf(blog), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
      await server.revoke('st_absent')
    })

    test('a dump under writes holds one instant, and loads into another database', async () => {
      await rows(
        urlOf(shop),
        `CREATE TABLE accounts (id int PRIMARY KEY, cents int NOT NULL, KEY (cents));
         INSERT INTO accounts SELECT seq, 100 FROM seq_1_to_1000`,
      )
      let isOver = false
      const writing = withMysql(urlOf(shop), async (client) => {
        while (!isOver) {
          await client.query(
            `BEGIN; UPDATE accounts SET cents = cents - 1 WHERE id = 1;
             UPDATE accounts SET cents = cents + 1 WHERE id = 1000; COMMIT`,
          )
        }
      })
      const copy = await empty('st_1_preview_00000003')
      await server.load(copy, await server.dump(shop, options()), options())
      isOver = true
      await writing
      expect(
        await rows(urlOf(copy), 'SELECT SUM(cents) AS sum, COUNT(*) AS count FROM accounts'),
      ).toEqual([{ sum: 100_000, count: 1000 }])
      await rows(urlOf(copy), 'ALTER TABLE accounts ADD COLUMN note text; DELETE FROM accounts')
      expect(await rows(urlOf(shop), 'SELECT COUNT(*) AS count FROM accounts')).toEqual([
        { count: 1000 },
      ])
    })

    test('views, triggers, routines, bytes and hostile texts arrive, and belong to the new user', async () => {
      const source = await empty('st_1_source_00000006')
      const text = "DEFINER=`a`@`b` \\! -- ; DELIMITER 'x'\nDEFINER=`a`@`b`"
      await withMysql(urlOf(source), async (client) => {
        await client.query(
          `CREATE TABLE items (id int PRIMARY KEY, text text, bytes blob, doubled int AS (id * 2) STORED);
           CREATE TABLE counts (n int);
           CREATE VIEW big AS SELECT id FROM items WHERE id > 1;
           CREATE TRIGGER counting AFTER INSERT ON items FOR EACH ROW INSERT INTO counts VALUES (NEW.id);
           CREATE FUNCTION twice(n int) RETURNS int DETERMINISTIC RETURN n * 2`,
        )
        await client.query('INSERT INTO items (id, text, bytes) VALUES (1, ?, ?), (2, ?, ?)', [
          ...[text, Buffer.from([0, 10, 26, 255])],
          ...['DEFINER=`x`@`y`'.repeat(200_000).slice(0, 60_000), Buffer.alloc(60_000, 10)],
        ])
      })
      const target = await empty('st_1_target_00000007')
      await server.load(target, await server.dump(source, options()), options())
      await server.drop(source.name)
      const url = urlOf(target)
      const [first, second] = await rows(url, 'SELECT * FROM items ORDER BY id')
      expect(first).toEqual({ id: 1, text, bytes: Buffer.from([0, 10, 26, 255]), doubled: 2 })
      expect(second.text).toHaveLength(60_000)
      expect(second.text).not.toContain('CURRENT_USER')
      expect(second.bytes).toEqual(Buffer.alloc(60_000, 10))
      await rows(url, 'INSERT INTO items (id) VALUES (3)')
      expect(await rows(url, 'SELECT * FROM counts ORDER BY n')).toEqual([
        ...[{ n: 1 }, { n: 2 }, { n: 3 }],
      ])
      expect(await rows(url, 'SELECT id, twice(id) AS twice FROM big ORDER BY id')).toEqual([
        { id: 2, twice: 4 },
        { id: 3, twice: 6 },
      ])
    })

    test('a hostile dump runs no program, reads no file of the host, and touches no other database', async () => {
      const proof = join(folder, 'proof')
      const secret = join(folder, 'secret')
      writeFileSync(secret, 'of the host')
      const target = await empty('st_1_hostile_00000008')
      for (const sql of [
        `\\! touch ${proof}\n`,
        `system touch ${proof}\n`,
        `tee ${proof}\n`,
        `source ${secret}\n`,
        `CREATE TABLE stolen (text text);\nLOAD DATA LOCAL INFILE '${secret}' INTO TABLE stolen;\n`,
        `USE ${blog.name};\nDROP TABLE notes;\n`,
        `DROP TABLE ${blog.name}.notes;\n`,
      ]) {
        await expect(load(target, `${sql}${end}`), sql).rejects.toThrow(/(mariadb|mysql) failed:/)
      }
      expect(existsSync(proof)).toBe(false)
      expect(await rows(urlOf(target), 'SELECT * FROM stolen')).toEqual([])
      expect(await rows(urlOf(blog), 'SELECT * FROM notes')).toEqual([{ text: 'of the blog' }])
    })

    test('a dump that ends too early is refused', async () => {
      const target = await empty('st_1_broken_00000004')
      await expect(load(target, 'CREATE TABLE half (id int);\n')).rejects.toThrow(
        'the dump ends too early',
      )
      const dump = server.dump({ ...shop, password: redacted('wrong-password') }, options())
      await expect(dump.then(buffer)).rejects.toThrow(/mariadb-dump failed: .*Access denied/)
    })

    test('drop removes database and user although a connection is open, and is idempotent', async () => {
      const gone = access('st_1_gone_00000005')
      await server.create(gone)
      const client = await createConnection(urlOf(gone).replace('mysql:', 'mariadb:'))
      client.on('error', () => {})
      onTestFinished(() => client.destroy())
      await client.query('CREATE TABLE held (id int)')
      await client.beginTransaction()
      await client.query('SELECT * FROM held')
      await server.drop(gone.name)
      await server.drop(gone.name)
      expect(await server.exists(gone.name)).toBe(false)
      const users = await rows(
        mysql.rootUrl,
        `SELECT 1 FROM mysql.user WHERE User = '${gone.name}'`,
      )
      expect(users).toEqual([])
    })

    test('a server that does not answer, or refuses the administrator, is a sentence without the URL', async () => {
      const wrong = new URL(mysql.url)
      wrong.password = 'secret-of-the-administrator'
      const faultOf = async (url: string) => {
        const other = createMysqlServer({ url: redacted(url), cells: walls, path })
        return other.exists('st_1').catch((fault: unknown) => fault)
      }
      const refused = await faultOf(wrong.href)
      expect(refused).toMatchObject({ kind: 'unprocessable' })
      expect(String(refused)).toContain('the server of SERVICE_MYSQL_URL refuses: Access denied')
      wrong.port = '1'
      const away = await faultOf(wrong.href)
      expect(away).toMatchObject({ kind: 'transient' })
      expect(`${refused} ${away}`).not.toContain('secret-of-the-administrator')
    })
  },
)
