import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { blogContract } from '../../apps/suite/blog/contract.ts'
import { describeBlog, describeCommon, describeUsers } from '../../apps/suite/describe.ts'
import { type AppName, appNames } from '../../apps/suite/suites.ts'
import { userContract } from '../../apps/suite/users.ts'
import { type BootedApp, bootApp } from '../../support/apps/boot.ts'
import type { Program } from '../../support/apps/launcher.ts'
import { runOwnTests } from '../emitted-app.ts'
import { emitExample } from '../kinds/emit-example.ts'
import { distinctLines, isOpening, isStatement, lineOf, type Names } from './conversation.ts'
import { startParser } from './parser.ts'
import { type Sent, type StandIn, startStandIn } from './stand-in/stand-in.ts'
import { typicalRequests } from './typical-requests.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The substitute that the test ran on instead of a server. */
    standIn?: string
  }
}

/** Tests the statements that applications send to SQL Server, as far as possible without a server. */

const given = 'TEST_SQLSERVER_URL names a server, which the tests run on instead'

if (process.env.TEST_SQLSERVER_URL) {
  test('the applications run on a stand-in', (context) => {
    context.task.meta.reason = given
    context.skip(given)
  })
} else describe.each(appNames)('the %s application on a stand-in that speaks TDS', describeApp)

function describeApp(name: AppName): void {
  const folder = mkdtempSync(join(tmpdir(), `strata-stand-in-${name}-`))
  let standIn: StandIn
  let program: Program
  let names: Names

  beforeAll(async () => {
    standIn = await startStandIn()
    program = await emitExample(folder, 'sqlserver', `${name}-app`)
    names = migrationsOf(program.folder)
  })
  beforeEach(({ task }) => {
    task.meta.standIn = 'a stand-in that speaks TDS and answers from SQLite'
  })
  afterAll(async () => {
    await standIn?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  function boot(database: string): Promise<BootedApp> {
    return bootApp({ ...program, env: { DATABASE_URL: standIn.urlOf(database) } })
  }

  test('sends the recorded statements in the recorded order at its start and for typical requests', async () => {
    const sections: string[] = []
    const record = async <Result>(title: string, run: () => Promise<Result>) => {
      const before = standIn.sent.length
      const result = await run()
      const sent = standIn.sent.slice(before).filter((each) => !isOpening(each))
      sections.push(sectionOf(title, sent, names))
      return result
    }
    const app = await record('the start', () => boot('typical'))
    try {
      await typicalRequests[name](app, record)
    } finally {
      await app.stop()
    }
    const ofFirst = standIn.sent.filter(({ connection }) => connection === 1)
    sections.unshift(sectionOf('each connection', ofFirst.filter(isOpening), names))
    await expect(sections.join('\n')).toMatchFileSnapshot(`golden/${name}-requests.txt`)
  })

  describe('serves the contract', () => {
    let app: BootedApp
    beforeAll(async () => {
      app = await boot('contract')
    })
    afterAll(() => app?.stop())

    describeCommon(name === 'user' ? userContract : blogContract, () => app)
    if (name === 'user') describeUsers(() => app)
    else describeBlog(() => app)
  })

  test('passes its own tests', async () => {
    const env = { TEST_DATABASE_URL: standIn.urlOf('master') }
    const { passed, skipped, failed } = await runOwnTests(program.folder, 'test', env, oneProcess)
    expect([failed, skipped]).toEqual([[], []])
    expect(passed.filter((title) => title.includes("'sqlserver'"))).not.toEqual([])
  })

  test('has sent no message that the stand-in does not support', () => {
    expect(standIn.faults).toEqual([])
  })

  test('has sent exactly the recorded statements', async () => {
    const lines = distinctLines(standIn.sent, names)
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`golden/${name}-statements.txt`)
  })

  test("has sent no statement or migration that Microsoft's parser refuses", async (context) => {
    const parser = await startParser()
    if ('skipped' in parser) {
      context.task.meta.reason = parser.skipped
      return context.skip(parser.skipped)
    }
    const statements = [...new Set(standIn.sent.filter(isStatement).map(({ sql }) => sql))]
    try {
      expect(await parser.refusals(statements)).toEqual([])
      expect(statements).toEqual(expect.arrayContaining([...names.keys()]))
      // The parser must refuse each statement with one misspelled word. Otherwise the parser would
      // prove nothing.
      const misspelt = statements.flatMap(misspellings)
      const refused = new Set((await parser.refusals(misspelt)).map(({ statement }) => statement))
      expect(misspelt.filter((statement) => !refused.has(statement))).toEqual([])
      expect(misspelt.length).toBeGreaterThan(statements.length)
    } finally {
      parser.stop()
    }
  })
}

/** Shares one process between test files, which takes a third of the time. */
const oneProcess = ['--no-isolate']

function sectionOf(title: string, sent: readonly Sent[], names: Names): string {
  return [title, ...sent.map((each) => `  ${lineOf(each, names)}`), ''].join('\n')
}

const words = ['FROM', 'WHERE', 'VALUES', 'ORDER BY', 'ROWS', 'INTO', 'MATCHED', 'CREATE', 'TABLE']

/** Returns the statement with an extra letter, once for each of its words. */
function misspellings(statement: string): readonly string[] {
  return words
    .map((word) => statement.replace(new RegExp(`\\b${word}\\b`), `${word}X`))
    .filter((text) => text !== statement)
}

/** Returns the names of an application's migrations by their SQL. */
function migrationsOf(root: string): Names {
  const migrations = join(root, 'prisma/migrations')
  const folders = readdirSync(migrations, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  return new Map(
    folders.map((name) => [readFileSync(join(migrations, name, 'migration.sql'), 'utf8'), name]),
  )
}
