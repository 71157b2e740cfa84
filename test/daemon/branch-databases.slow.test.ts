import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { setup as buildStrata } from '../support/generator/build.ts'
import { strata } from '../support/generator/strata.ts'
import { grantsIn, startMysqlServer, whyNoMysql, withMysql } from '../support/mysql.ts'
import { startPostgres, whyNoPostgres, withClient } from '../support/postgres.ts'
import { call, restore, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, masterToken, startDaemon } from '../support/stratad/daemon.ts'

const notes = '/api/v1/notes'

/** A server of one kind, and how `strata init` names it. */
interface Kind {
  readonly kind: 'postgres' | 'mysql'
  readonly setting: string
  readonly init: readonly string[]
  readonly reason: string | undefined
  /** Starts a server: `url` is the administrator's. */
  start(): Promise<{
    readonly url: string
    /** Returns the names of the databases that the daemon made, in order. */
    names(): Promise<readonly string[]>
    stop(): Promise<void>
  }>
}

const kinds: readonly Kind[] = [
  {
    kind: 'postgres',
    setting: 'SERVICE_POSTGRES_URL',
    init: ['--database', 'postgres', '--orm', 'kysely'],
    reason: whyNoPostgres(),
    async start() {
      const { url, stop } = await startPostgres()
      const sql = "SELECT datname AS name FROM pg_database WHERE datname LIKE 'st\\_%' ORDER BY 1"
      const names = () =>
        withClient(url, async (client) => (await client.query(sql)).rows.map(({ name }) => name))
      return { url, names, stop }
    },
  },
  {
    kind: 'mysql',
    setting: 'SERVICE_MYSQL_URL',
    init: ['--database', 'mysql'],
    reason: whyNoMysql(),
    async start() {
      const server = await startMysqlServer(grantsIn(readFileSync('docs/databases.md', 'utf8')))
      const sql =
        "SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA WHERE SCHEMA_NAME LIKE 'st\\_%' ORDER BY 1"
      const names = () =>
        withMysql(server.rootUrl, async (client) => {
          const rows: { name: string }[] = await client.query(sql)
          return rows.map(({ name }) => name)
        })
      return { url: server.url, names, stop: server.stop }
    },
  },
]

/** An emitted app from its first deploy to a migration of its data. Each test continues from the previous one. */
for (const { kind, setting, init, reason, start } of kinds) {
  const title = `an emitted app with a ${kind} database for each branch`
  describe.skipIf(reason)(reason ? `${title}, for ${reason}` : title, () => {
    let server: Awaited<ReturnType<Kind['start']>>
    let daemon: Daemon
    let folder: string
    let root: string
    let projectId: number

    const git = (...args: readonly string[]) => {
      const user = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
      return execFileSync('git', [...user, ...args], { cwd: root, encoding: 'utf8' }).trim()
    }
    async function run(...args: readonly string[]): Promise<void> {
      const env = { STRATA_HOST: `http://127.0.0.1:${daemon.port}`, STRATA_TOKEN: masterToken }
      const { code, stdout, stderr } = await strata(root, args, {
        env: { ...env, XDG_CONFIG_HOME: folder },
      })
      if (code !== 0) throw new Error(`strata ${args.join(' ')}: ${stdout}${stderr}`)
    }
    function commitAll(message: string): void {
      git('add', '--all')
      git('commit', '--quiet', '--message', message)
    }
    const deploy = (branch: string) =>
      call(daemon, 'POST', `/projects/${projectId}/deploy`, { branch })
    const rollback = (more: object = {}) =>
      call(daemon, 'POST', `/projects/${projectId}/rollback`, { branch: 'main', ...more })
    const host = (branch: string) => `${branch}--shop.localhost`
    const listOf = async (branch: string) => (await visit(daemon, host(branch), notes)).body.notes

    beforeAll(async () => {
      buildStrata()
      folder = mkdtempSync(join(tmpdir(), 'strata-loop-'))
      server = await start()
      daemon = await startDaemon({
        env: { [setting]: server.url, SERVICE_ALLOW_RESTORE: '1' },
      })
      root = folder
      await run(...['init', 'shop', ...init, '--no-install', '--no-git'])
      root = join(folder, 'shop')
      await run('feature', 'Note', 'text:string')
      // The same lock file in all commits: the packages are installed once.
      const npm = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']
      execFileSync('npm', npm, { cwd: root, stdio: 'pipe' })
      git('init', '--quiet', '--initial-branch=main')
      commitAll('first')
    })
    afterAll(async () => {
      await daemon?.stop('SIGKILL')
      if (daemon) cleanUp(daemon.dataDir)
      await server?.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    test('is deployed by strata up, and nothing else is said', async () => {
      await run('up')
      projectId = (await call(daemon, 'GET', '/projects')).body[0].id
      const created = await visit(daemon, host('main'), notes, { body: { text: 'hello' } })
      expect(created.status).toBe(201)
      expect(await listOf('main')).toMatchObject([{ text: 'hello' }])
    })

    test('migrates a copy of the data in a preview, and leaves main untouched', async () => {
      git('checkout', '--quiet', '-b', 'priority')
      const file = join(root, 'strata.json')
      const text = readFileSync(file, 'utf8')
      const wish = `"store": { "kind": "${kind}", "data": "copy" }`
      writeFileSync(file, text.replace(`"store": { "kind": "${kind}" }`, wish))
      await run('feature', 'Note', '--add', 'priority:int:optional')
      commitAll('priority')
      const { status, body } = await deploy('priority')
      expect({ status, reason: body.error }).toEqual({ status: 201 })
      expect(await listOf('priority')).toMatchObject([{ text: 'hello', priority: null }])
      const urgent = { text: 'urgent', priority: 1 }
      expect((await visit(daemon, host('priority'), notes, { body: urgent })).status).toBe(201)
      const [only, ...others] = await listOf('main')
      expect(others).toEqual([])
      expect(only).not.toHaveProperty('priority')
    })

    test('migrates main when the branch is merged, and keeps its data', async () => {
      git('checkout', '--quiet', 'main')
      git('merge', '--quiet', '--ff-only', 'priority')
      expect((await deploy('main')).status).toBe(201)
      expect(await listOf('main')).toMatchObject([{ text: 'hello', priority: null }])
    })

    test('is not rolled back over the migration before somebody accepts it', async () => {
      const refused = await rollback()
      expect(refused.status).toBe(409)
      expect(refused.body.error).toMatch(
        /migrations that have run on the data of main: prisma\/migrations\/\d+/,
      )
      expect(await listOf('main')).toMatchObject([{ priority: null }])
      expect((await rollback({ over_migrations: true })).status).toBe(201)
      expect(await listOf('main')).toMatchObject([{ text: 'hello' }])
    })

    test('gives its data out with strata db dump, and takes it back with strata db restore', async () => {
      const file = join(folder, 'main.dump')
      await run('db', 'dump', 'main', '--output', file)
      await visit(daemon, host('main'), notes, { body: { text: 'a mistake' } })
      await run('db', 'restore', file, 'main', '--yes')
      expect(await listOf('main')).toMatchObject([{ text: 'hello' }])
    })

    test('shows no password, and each branch has a database of its own', async () => {
      expect(await server.names()).toEqual([
        // The database before the restore is in the trash.
        expect.stringMatching(/^st_1_main_/),
        expect.stringMatching(/^st_1_main_/),
        expect.stringMatching(/^st_1_priority_/),
      ])
      const environments = (await call(daemon, 'GET', `/projects/${projectId}/environments`)).body
      const texts = [daemon.output(), JSON.stringify(environments)]
      for (const { id } of environments) {
        texts.push((await call(daemon, 'GET', `/environments/${id}/logs?lines=1000`)).text)
      }
      const all = texts.join('\n')
      expect(all).toContain('copied the data of main')
      expect(all).not.toMatch(/(postgres(ql)?|mysql|mariadb):\/\/st_/)
      expect(all).not.toContain(new URL(server.url).password)
    })

    test('comes back with a backup of the daemon', async () => {
      const backup = await call(daemon, 'GET', '/backup?data=true')
      await visit(daemon, host('main'), notes, { body: { text: 'a mistake' } })
      expect(await listOf('main')).toHaveLength(2)
      expect((await restore(daemon, backup.bytes)).status).toBe(202)
      await daemon.stop()
      daemon = await daemon.restart({
        [setting]: server.url,
        SERVICE_ALLOW_RESTORE: '1',
      })
      const isBack = async () => (await listOf('main'))?.length === 1
      expect(await eventually(isBack, 60_000)).toBe(true)
      expect(await listOf('main')).toMatchObject([{ text: 'hello' }])
      expect(await listOf('priority')).toHaveLength(2)
    })
  })
}
