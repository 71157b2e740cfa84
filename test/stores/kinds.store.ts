import { once as event } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  type TestContext,
  test,
} from 'vitest'
import * as z from 'zod'
import { availableKinds, storeOf } from '../../src/generator/stores/stores.ts'
import { register, registerPath, registration } from '../apps/suite/blog/caller.ts'
import { blogContract } from '../apps/suite/blog/contract.ts'
import { tags } from '../apps/suite/blog/resources.ts'
import type { AppUnderTest } from '../apps/suite/check.ts'
import { describeBlog, describeCommon, describeUsers } from '../apps/suite/describe.ts'
import { send } from '../apps/suite/http.ts'
import { create, find } from '../apps/suite/resource.ts'
import { type AppName, appNames } from '../apps/suite/suites.ts'
import { userContract } from '../apps/suite/users.ts'
import { atMost } from '../support/apps/at-most.ts'
import { type BootedApp, type BootOptions, bootApp } from '../support/apps/boot.ts'
import { launcherOf, type Program } from '../support/apps/launcher.ts'
import { runOwnTests } from './emitted-app.ts'
import { emitEmpty, emitExample } from './kinds/emit-example.ts'
import type { Kind } from './kinds/kind.ts'
import { startKind } from './kinds/kinds.ts'
import { type Acknowledged, startLoad } from './kinds/load.ts'
import { preparedOnce } from './kinds/prepared-once.ts'
import { processChecksOf } from './kinds/process-checks.ts'
import type { Skipped } from './servers/test-server.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Why the test was skipped. */
    reason?: string
    /** The name and version of the server. */
    server?: string
    /** The number of the application's own tests that passed on the server (or on a file, for SQLite). */
    own?: number
  }
}

const kind = z.enum(availableKinds).parse(process.env.STORE_KIND)
const store = await startKind(kind)

/** Constant over restarts, so that a token stays valid. */
const JWT_SECRET = 'a constant secret for all starts of an application'

/**
 * The application's own tests that are skipped without TEST_DATABASE_URL. SQLite needs no server.
 */
const needsServer =
  storeOf(kind).serverCommand === ''
    ? []
    : ['the suites also run on the server of TEST_DATABASE_URL']

const folder = mkdtempSync(join(tmpdir(), `strata-${kind}-`))
const programs = new Map<AppName, Program>()

beforeAll(async () => {
  const emit = async (name: AppName) =>
    programs.set(name, await emitExample(folder, kind, `${name}-app`))
  await Promise.all(appNames.map(emit))
})
afterAll(async () => {
  if (!('skipped' in store)) await store.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('without a server', () => {
  test('a project without features passes its type check, lint and own tests', async () => {
    const { failed } = await runOwnTests(await emitEmpty(folder, kind), 'check')
    expect(failed).toEqual([])
  })

  test.for(appNames)(
    'the %s application passes its type check, lint and own tests, and leaves no temporary file',
    async (name, { task }) => {
      const temporary = mkdtempSync(join(folder, 'temporary-'))
      const env = { TMPDIR: temporary }
      const { passed, skipped, failed } = await runTests(name, 'check', env)
      expect([failed, skipped]).toEqual([[], needsServer])
      expect(passed).not.toEqual([])
      expect(readdirSync(temporary)).toEqual([])
      if (needsServer.length === 0) task.meta.own = passed.length
    },
  )
})

if ('skipped' in store) test('on a server', (context) => skip(context, store))
else describe('on a server', () => describeServer(store))

function describeServer(store: Kind): void {
  beforeEach(({ task }) => {
    task.meta.server = `${store.name} ${store.version}`
  })

  /** Starts an application and stops it when the test ends. */
  async function boot(
    name: AppName,
    url: string,
    onStdout?: BootOptions['onStdout'],
  ): Promise<BootedApp> {
    const env = { DATABASE_URL: url, JWT_SECRET }
    const app = await bootApp({ ...programOf(name), env, ...(onStdout && { onStdout }) })
    onTestFinished(async () => void (await app.stop()))
    return app
  }

  describe.each(appNames)('the %s application', (name) => {
    if (needsServer.length > 0) {
      test('passes its own tests and leaves the database as it was', async ({ task }) => {
        const TEST_DATABASE_URL = await store.freshDatabase()
        const before = await store.contents(TEST_DATABASE_URL)
        const env = { TEST_DATABASE_URL }
        const { passed, skipped, failed } = await runTests(name, 'test', env)
        expect([failed, skipped]).toEqual([[], []])
        expect(passed.filter((title) => title.includes(`'${kind}'`))).not.toEqual([])
        expect(await store.contents(TEST_DATABASE_URL)).toEqual(before)
        task.meta.own = passed.length
      })
    }

    describe('serves the contract', () => {
      let app: BootedApp
      beforeAll(async () => {
        const env = { DATABASE_URL: await store.freshDatabase() }
        app = await bootApp({ ...programOf(name), env })
      })
      afterAll(() => app?.stop())

      describeCommon(preparedOnce(name === 'user' ? userContract : blogContract), () => app)
      if (name === 'user') describeUsers(() => app)
      else describeBlog(() => app)
    })

    describe('as a process', () => {
      const inTurn = atMost(3)
      for (const { title, run, skipped } of processChecksOf(name, store)) {
        test.concurrent(title, (context) => {
          if (skipped !== undefined) return skip(context, { skipped })
          return inTurn(async () => {
            const env = { DATABASE_URL: await store.freshDatabase() }
            await run(launcherOf({ ...programOf(name), env }, async () => folder))
          })
        })
      }
    })
  })

  test('exactly one of fifty concurrent registrations of one e-mail address in two processes succeeds', async () => {
    const url = await store.freshDatabase()
    const apps = await Promise.all([boot('blog', url), boot('blog', url)])
    const json = registration()
    const callers = Array.from({ length: 25 }, () => apps).flat()
    const replies = await Promise.all(
      callers.map((app) => send(app, { method: 'POST', path: registerPath, json })),
    )
    const refused = replies.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(49)
    for (const { status, text } of refused) {
      expect([status, text]).toEqual([409, '{"error":"email already registered"}'])
    }
  })

  describe('under load', () => {
    test('a killed and restarted server loses no acknowledged write, and requests meanwhile get 503', async (context) => {
      const { server } = store
      if ('skipped' in server) return skip(context, server)
      const { app, caller, load } = await writeTo(await store.freshDatabase())
      // Three kills hit the writes at different statements.
      for (let kill = 1; kill <= 3; kill += 1) {
        const restart = once(server.restart)
        onTestFinished(restart)
        const last = await create(caller, tags)
        await server.kill()
        await load.sees(away)
        expect((await send(app, { path: '/health' })).status).toBe(200)
        expect((await send(app, { path: '/ready' })).status).toBe(503)
        await restart()
        await load.sees(written, 100)
        expect(await find(caller, tags, last.id)).toEqual(last)
      }
      await expectKept(caller, await load.stop(), [written, away])
    })

    test('requests get 503 while the server does not respond, and succeed again when it does', async (context) => {
      const { freeze } = store
      if ('skipped' in freeze) return skip(context, freeze)
      const url = await store.freshDatabase()
      const { app, caller, load } = await writeTo(url)
      const thaw = once(await freeze(url))
      onTestFinished(thaw)
      await load.sees(away)
      expect((await send(app, { path: '/health' })).status).toBe(200)
      expect((await send(app, { path: '/ready' })).status).toBe(503)
      await thaw()
      await load.sees(written, 100)
      await expectKept(caller, await load.stop(), [written, away])
    })

    test('a killed application loses no acknowledged write', async () => {
      const url = await store.freshDatabase()
      const { app, caller, load } = await writeTo(url)
      await app.kill()
      const acknowledged = await load.stop()
      const { baseUrl } = await boot('blog', url)
      await expectKept({ ...caller, baseUrl }, acknowledged, [written, /^no answer/])
    })

    /** Starts the blog and concurrent writers of one user, and waits until they have written. */
    async function writeTo(url: string) {
      const app = await boot('blog', url)
      const { app: caller } = await register(app)
      const load = startLoad(caller)
      onTestFinished(async () => void (await load.stop()))
      await load.sees(written, 100)
      return { app, caller, load }
    }
  })

  test('an application that starts before its server waits for it and logs the reason', async (context) => {
    const { server } = store
    if ('skipped' in server) return skip(context, server)
    const gate = await startGate(await store.freshDatabase())
    const waits = /"reason":"[^"]{10,}".*"msg":"waiting for the store"/
    const app = await boot('user', gate.url, (text) => waits.test(text) && gate.open())
    expect(app.stdout()).toMatch(waits)
    const { password } = new URL(gate.url)
    if (password !== '') expect(app.output()).not.toContain(password)
  })
}

function programOf(name: AppName): Program {
  const program = programs.get(name)
  if (program === undefined) throw new Error(`the ${name} application is not built`)
  return program
}

/** Runs all test files in one process, in a third of the time. `npm test` isolates each file of the examples. */
function runTests(name: AppName, script: 'check' | 'test', env: Readonly<Record<string, string>>) {
  return runOwnTests(programOf(name).folder, script, env, ['--no-isolate'])
}

/**
 * Starts a proxy in front of a database server that refuses connections until `open` is called. Restarting a real
 * server instead may take longer than an application waits.
 */
async function startGate(databaseUrl: string) {
  let isOpen = false
  const gate = createServer((socket) => {
    if (!isOpen) return void socket.destroy()
    const server = connect(Number(new URL(databaseUrl).port), '127.0.0.1')
    pipeline(socket, server, socket, () => {})
  })
  gate.listen(0, '127.0.0.1')
  await event(gate, 'listening')
  onTestFinished(() => void gate.close())
  const url = new URL(databaseUrl)
  url.port = String((gate.address() as AddressInfo).port)
  return {
    url: url.href,
    open() {
      isOpen = true
    },
  }
}

const written = /^20[014]$/
const away = /^503 {"error":"the store does not answer, try again"}$/

/** Asserts that only expected answers came, that acknowledged records exist and that deleted ones do not. */
async function expectKept(
  app: AppUnderTest,
  { kept, gone, answers }: Acknowledged,
  expected: readonly RegExp[],
): Promise<void> {
  const isExpected = (answer: string) => expected.some((pattern) => pattern.test(answer))
  expect(answers.filter((answer) => !isExpected(answer))).toEqual([])
  for (const { resource, record } of kept) {
    expect(await find(app, resource, record.id)).toEqual(record)
  }
  for (const id of gone) expect((await send(app, { path: `${tags.path}/${id}` })).status).toBe(404)
}

function skip(context: TestContext, { skipped }: Skipped): never {
  context.task.meta.reason = skipped
  return context.skip(skipped)
}

/** Returns a function that does the work on its first call only. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}
