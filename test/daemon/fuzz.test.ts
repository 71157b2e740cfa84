import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { RouteRecord } from '../../daemon/api/route.ts'
import { routes } from '../../daemon/api/route-table.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project } from '../support/stratad/project.ts'

/** The shipped program. `daemon/http/bodies.test.ts` tests the rules of each body. */
let daemon: Daemon
let project: Project

beforeAll(async () => {
  daemon = await startDaemon()
  project = await createProject(daemon)
  expect((await deploy(daemon, project)).status).toBe(201)
})
afterAll(async () => {
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

/** Checks that apps are served and that the daemon has logged no error. */
async function expectUnharmed(): Promise<void> {
  expect((await visit(daemon, project.host())).status).toBe(200)
  expect(daemon.output()).not.toMatch(/"level":[56]0/)
}

const withBody = (routes as readonly RouteRecord[]).filter(({ body }) => body)
const withId = (routes as readonly RouteRecord[]).filter(({ path }) => path.includes('{id}'))

/** Strings that code behind the API might interpret: options, paths, SQL, markup, shell, format strings. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(
    '--upload-pack=id',
    '../../etc/passwd',
    "'; drop table projects; --",
    '<script>alert(1)</script>',
    '$(id)',
    '%s%n',
    '\0',
    '\ud800',
    '\u202e',
    'é'.repeat(40),
    '9'.repeat(40),
    'x'.repeat(10_000),
    '7d',
    'https://git.example.com/team/shop',
    'tcp://127.0.0.1:1',
    'local',
  ),
)
const value = fc.oneof(
  { weight: 3, arbitrary: text },
  fc.jsonValue(),
  fc.array(text, { maxLength: 4 }),
  fc.constantFrom(0, -1, 1e308, 2 ** 53, 1.5, null, [], {}),
)

describe('an API request with a random body', () => {
  test.each(withBody)('never gets a 5xx from $method $path', async ({ method, path, body }) => {
    const keys = Object.keys(z.toJSONSchema(body as z.ZodType, { io: 'input' }).properties ?? {})
    const fields = Object.fromEntries(keys.map((key) => [key, value]))
    const target = path.replace('{id}', String(path.startsWith('/nodes') ? 1 : project.id))
    const bodies = fc.record(fields, { requiredKeys: [] })
    await fc.assert(
      fc.asyncProperty(bodies, async (sent) => {
        const answer = await call(daemon, method, target, sent)
        expect(answer.status).toBeLessThan(500)
        if (answer.status >= 400) expect(answer.body).toEqual({ error: expect.any(String) })
      }),
      { numRuns: 50 },
    )
    await expectUnharmed()
  })
})

const invalidIds = ['0', '-1', '1.5', '1e3', '01', 'NaN', '１', "1'--", '%00', '9007199254740993']

test('an invalid or unknown id gets 400 or 404 from each endpoint', async () => {
  for (const { method, path } of withId) {
    for (const id of [...invalidIds, '9'.repeat(400), '2147483648', '9007199254740991']) {
      const answer = await call(daemon, method, path.replace('{id}', encodeURI(id)))
      const asked = `${method} ${path} ${id} ${answer.text}`
      expect([400, 404], asked).toContain(answer.status)
      expect(answer.body, asked).toEqual({ error: expect.any(String) })
    }
  }
  await expectUnharmed()
})

test('an unknown token gets 401 for any token text', async () => {
  const tokens = fc.oneof(
    fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((at) => String.fromCharCode(at)) }),
    fc.constantFrom('null', 'undefined', '[object Object]', '0'.repeat(64), 'x'.repeat(8_000)),
    fc.stringMatching(/^[0-9a-f]{64}$/),
  )
  await fc.assert(
    fc.asyncProperty(tokens, async (token) => {
      const { status, body } = await call(daemon, 'GET', '/projects', undefined, { token })
      expect({ status, body }).toEqual({ status: 401, body: { error: expect.any(String) } })
    }),
    { numRuns: 100 },
  )
  await expectUnharmed()
})
