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
    /** Why it was skipped. */
    reason?: string
    /** The server, and its version. */
    server?: string
    /** How many tests of an application's own passed on it, or on what needs none. */
    own?: number
  }
}

const kind = z.enum(availableKinds).parse(process.env.STORE_KIND)
const store = await startKind(kind)

/** The same for every start: a token outlives its application. */
const JWT_SECRET = 'the same for every start of an application'

/** What an application's own tests skip where TEST_DATABASE_URL names no server; a file needs none. */
const needsServer =
  storeOf(kind).serverCommand === ''
    ? []
    : ['the suites run on the server of TEST_DATABASE_URL too']

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
  test('an empty project passes its types, its lint and its own tests', async () => {
    const { failed } = await runOwnTests(await emitEmpty(folder, kind), 'check')
    expect(failed).toEqual([])
  })

  test.for(appNames)(
    'the %s application passes its types, its lint and its own tests, and leaves nothing behind',
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

  /** An application that ends with the test. */
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
      test('passes its own tests, and leaves nothing there', async ({ task }) => {
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

  test('of fifty registrations of one e-mail in two processes at once exactly one succeeds', async () => {
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
    test('a server killed and started again loses nothing it answered, and 503 stands for it meanwhile', async (context) => {
      const { server } = store
      if ('skipped' in server) return skip(context, server)
      const { app, caller, load } = await writeTo(await store.freshDatabase())
      // A kill finds each write at another of its statements.
      for (let kill = 1; kill <= 3; kill += 1) {
        const restart = once(server.restart)
        onTestFinished(restart)
        const last = await create(caller, tags)
        await server.kill()
        await load.sees(away)
        expect((await send(app, { path: '/health' })).status).toBe(200)
        await restart()
        await load.sees(written, 100)
        expect(await find(caller, tags, last.id)).toEqual(last)
      }
      await expectKept(caller, await load.stop(), [written, away])
    })

    test('503 stands for a server that keeps silent, which is used again when it speaks', async (context) => {
      const { freeze } = store
      if ('skipped' in freeze) return skip(context, freeze)
      const url = await store.freshDatabase()
      const { app, caller, load } = await writeTo(url)
      const thaw = once(await freeze(url))
      onTestFinished(thaw)
      await load.sees(away)
      expect((await send(app, { path: '/health' })).status).toBe(200)
      await thaw()
      await load.sees(written, 100)
      await expectKept(caller, await load.stop(), [written, away])
    })

    test('an application killed loses nothing it answered', async () => {
      const url = await store.freshDatabase()
      const { app, caller, load } = await writeTo(url)
      await app.kill()
      const acknowledged = await load.stop()
      const { baseUrl } = await boot('blog', url)
      await expectKept({ ...caller, baseUrl }, acknowledged, [written, /^no answer/])
    })

    /** The blog, and callers of one user who have written to it. */
    async function writeTo(url: string) {
      const app = await boot('blog', url)
      const { app: caller } = await register(app)
      const load = startLoad(caller)
      onTestFinished(async () => void (await load.stop()))
      await load.sees(written, 100)
      return { app, caller, load }
    }
  })

  test('an application waits at its start for a server that does not answer yet, and says what for', async (context) => {
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

/** In few processes, which takes a third of the time; `npm test` gives each file of the examples its own. */
function runTests(name: AppName, script: 'check' | 'test', env: Readonly<Record<string, string>>) {
  return runOwnTests(programOf(name).folder, script, env, ['--no-isolate'])
}

/**
 * A server in front of that of a URL, which answers nobody until it is opened. A real one may take longer to start than
 * an application waits.
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

/** Throws unless only such answers came, and what they acknowledged is there, and nothing that was deleted. */
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

/** The same work, done the first time only. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}
