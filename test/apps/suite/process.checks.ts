import assert from 'node:assert/strict'
import { connect } from 'node:net'
import type { BootedApp, Exit, Settings } from '../support/boot.ts'
import { eventually } from '../support/eventually.ts'
import { assertStatus, objectOf } from './answers.ts'
import { originOf, send } from './http.ts'
import { openRaw } from './raw.ts'
import { create, find, freshBody, list, post, type Resource } from './resource.ts'

/** How to start one application; the store and the folder are the launcher's own. */
export interface Launcher {
  /** Starts it with these settings and waits until it is healthy. Stop it afterwards. */
  readonly boot: (settings?: Settings) => Promise<BootedApp>
  /** Starts it and waits until it ends by itself. */
  readonly runToExit: (settings: Settings) => Promise<Exit>
  /** A DATABASE_URL of its own that outlives a process. */
  readonly freshDatabase: () => Promise<string>
}

/** A rule about the process, not about one answer: it starts and stops the application itself. */
export interface ProcessCheck {
  readonly title: string
  readonly run: (launcher: Launcher) => Promise<void>
}

const graceMs = 10_000

export function processChecks(resource: Resource): readonly ProcessCheck[] {
  const { path } = resource
  return [
    {
      title: 'SIGTERM lets a request in hand finish, keeps what it wrote, and exits 0',
      run: async ({ boot, freshDatabase }) => {
        const DATABASE_URL = await freshDatabase()
        const made = await withApp(boot({ DATABASE_URL }), async (app) => {
          const body = JSON.stringify(freshBody(resource))
          const connection = await openRaw(app)
          connection.write(head('POST', path, body, 'Expect: 100-continue\r\n'))
          await connection.until(/^HTTP\/1\.1 100 /)
          connection.write(body.slice(0, 10))
          app.terminate()
          await eventually(async () => !(await isListening(app)), 3000)
          connection.write(body.slice(10))
          const answer = await connection.until(/HTTP\/1\.1 201 [\s\S]*\r\n\r\n[\s\S]*\}/)
          await assertExit(app)
          connection.destroy()
          return /"id":\s*(\d+)/.exec(answer)?.[1]
        })
        await withApp(boot({ DATABASE_URL }), (app) => find(app, resource, Number(made)))
      },
    },
    {
      title: 'an idle keep-alive connection does not hold the exit',
      run: ({ boot }) =>
        withApp(boot(), async (app) => {
          const connection = await openRaw(app)
          connection.write(head('GET', '/health'))
          await connection.until(/"timestamp"/)
          app.terminate()
          await assertExit(app)
          connection.destroy()
        }),
    },
    {
      title: 'a silent connection and a request that never ends hold the exit ten seconds at most',
      run: ({ boot }) =>
        withApp(boot(), async (app) => {
          const silent = await openRaw(app)
          const endless = await openRaw(app)
          endless.write(head('POST', path, '{"never": "sent"}', 'Expect: 100-continue\r\n'))
          await endless.until(/^HTTP\/1\.1 100 /)
          app.terminate()
          await assertExit(app)
          silent.destroy()
          endless.destroy()
        }),
    },
    {
      title: 'settings that are wrong are all named at once, with exit 1 and no stack',
      run: async ({ runToExit }) => {
        const exit = await runToExit({ PORT: 'abc', LOG_LEVEL: 'loudly' })
        assertRefused(exit, ['PORT', 'LOG_LEVEL'])
      },
    },
    {
      title: 'a PORT that is no port is refused at the start',
      run: async ({ runToExit }) => {
        for (const PORT of ['-1', '65536', '80.5'])
          assertRefused(await runToExit({ PORT }), ['PORT'])
      },
    },
    {
      title: 'a restart keeps the records, and goes on with their ids',
      run: async ({ boot, freshDatabase }) => {
        const DATABASE_URL = await freshDatabase()
        const before = await withApp(boot({ DATABASE_URL }), async (app) => {
          for (let turn = 0; turn < 5; turn += 1) await create(app, resource)
          return list(app, resource)
        })
        await withApp(boot({ DATABASE_URL }), async (app) => {
          assert.deepEqual(await list(app, resource), before)
          const { id } = await create(app, resource)
          assert.ok(!before.records.some((record) => record.id === id), `the id ${id} came twice`)
        })
      },
    },
    {
      title: 'every line of the log is JSON, and each request has one, with an id of its own',
      run: ({ boot }) =>
        withApp(boot(), async (app) => {
          const ids = [900_000_011, 900_000_012, 900_000_013]
          for (const id of ids) assertStatus(await send(app, { path: `${path}/${id}` }), 404)
          await eventually(() => app.output().includes(String(ids.at(-1))), 5000)
          await app.stop()
          const lines = linesOf(app.stdout()).map((line) => parsed(line))
          const ofRequests = ids.map((id) => {
            const about = lines.filter((line) => JSON.stringify(line).includes(String(id)))
            assert.equal(about.length, 1, `lines about ${path}/${id}: ${JSON.stringify(about)}`)
            return about[0]
          })
          const requestIds = ofRequests.map((line) => requestIdOf(line))
          assert.equal(
            new Set(requestIds).size,
            ids.length,
            `request ids: ${requestIds.join(', ')}`,
          )
          for (const line of ofRequests) assert.match(JSON.stringify(line), /\b404\b/)
        }),
    },
    {
      title: 'the log tells no credential',
      run: async ({ boot, freshDatabase }) => {
        const DATABASE_URL = await freshDatabase()
        await withApp(boot({ DATABASE_URL }), async (app) => {
          const secrets = ['bearer-credential-7141', 'cookie-credential-7142']
          const headers = {
            Authorization: `Bearer ${secrets[0]}`,
            Cookie: `session=${secrets[1]}`,
          }
          await send(app, { path: `${path}/900000021`, headers })
          await send(app, { method: 'POST', path, headers, body: '{' })
          await post(app, resource, {})
          await eventually(() => app.output().includes('900000021'), 5000)
          const { stdout, stderr } = await app.stop()
          const password = /^\w+:\/\/[^/@:]*:([^@]+)@/.exec(DATABASE_URL)?.[1]
          for (const secret of [...secrets, ...(password === undefined ? [] : [password])]) {
            assert.ok(!`${stdout}${stderr}`.includes(secret), `the log tells ${secret}`)
          }
        })
      },
    },
  ]
}

/** Only where nothing else listens on 8080: the port is fixed by the contract. */
export const defaultPortCheck: ProcessCheck = {
  title: 'it listens on 8080 when PORT is not set',
  run: ({ boot }) =>
    withApp(boot({ PORT: undefined }), async (app) => {
      assert.equal(originOf(app).port, 8080)
      assertStatus(await send(app, { path: '/health' }), 200)
    }),
}

async function withApp<Result>(
  booting: Promise<BootedApp>,
  use: (app: BootedApp) => Promise<Result>,
): Promise<Result> {
  const app = await booting
  try {
    return await use(app)
  } finally {
    await app.stop()
  }
}

async function assertExit(app: BootedApp): Promise<void> {
  const exit = await app.exitWithin(graceMs)
  assert.ok(exit !== undefined, `still running ${graceMs} ms after SIGTERM`)
  assert.equal(exit.code, 0, `ended with ${exit.code ?? exit.signal}: ${exit.stderr}`)
}

function assertRefused({ code, stdout, stderr }: Exit, names: readonly string[]): void {
  assert.equal(code, 1, `exit ${code}: ${stderr}`)
  for (const name of names) assert.match(stderr, new RegExp(`\\b${name}\\b`))
  assert.doesNotMatch(`${stdout}${stderr}`, /\n\s+at |node_modules|\.[cm]?[jt]s:\d+/)
}

function isListening(app: BootedApp): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(originOf(app))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function head(method: string, path: string, body = '', headers = ''): string {
  const about = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  const lines = `${method} ${path} HTTP/1.1\r\nHost: conformance\r\n${headers}`
  return `${lines}${body === '' ? '' : about}\r\n`
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

function parsed(line: string) {
  try {
    return objectOf(JSON.parse(line), line)
  } catch {
    return assert.fail(`a line of the log is no JSON object: ${line}`)
  }
}

/** Its key is the application's choice: `reqId`, `request_id`, or `id` in an object `req`. */
function requestIdOf(line: unknown): string {
  const text = JSON.stringify(line)
  const found = /"(?:req(?:uest)?[_-]?id|x-request-id|correlation_?id|trace_?id)":"?([^",}]+)/i
  const nested = /"req(?:uest)?":\{[^{}]*"id":"?([^",}]+)/
  const id = found.exec(text)?.[1] ?? nested.exec(text)?.[1]
  return id ?? assert.fail(`no request id in ${text}`)
}
