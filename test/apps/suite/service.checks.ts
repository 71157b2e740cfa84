import assert from 'node:assert/strict'
import { assertError, assertStatus } from './answers.ts'
import type { AppUnderTest } from './check.ts'
import { type Call, send } from './http.ts'
import { type ProcessCheck, withApp } from './process.ts'
import { openRaw } from './raw.ts'
import type { Resource } from './resource.ts'

const origin = 'https://pages.example.com'
const other = 'https://other.example.com'
const minKeepAliveSeconds = 65

/** Checks of what a deployment needs: readiness, keep-alive, CORS, the docs page and metrics. */
export function serviceChecks({ path }: Resource): readonly ProcessCheck[] {
  return [
    {
      title: 'after SIGTERM /ready answers 503 on open connections',
      run: ({ boot }) =>
        withApp(boot(), async (app) => {
          const connection = await openRaw(app)
          let requests = 0
          const ask = async () => {
            requests += 1
            connection.write('GET /ready HTTP/1.1\r\nHost: conformance\r\n\r\n')
            const all = await connection.until(
              new RegExp(`(?:HTTP/1.1 [^{]*\\{[^}]*\\}){${requests}}$`),
            )
            return all.slice(all.lastIndexOf('HTTP/1.1 '))
          }
          assert.match(await ask(), /^HTTP\/1\.1 200 [\s\S]*\{"status":"ready"\}$/)
          app.terminate()
          // The delivery of a signal cannot be observed, so the check asks until an answer closes the connection.
          let last = ''
          while (!/^connection: close/im.test(last)) last = await ask()
          assert.match(last, /^HTTP\/1\.1 503 [\s\S]*\{"error":"[^"]+"\}$/)
          connection.destroy()
        }),
    },
    {
      title: 'a keep-alive connection may be idle for 65 seconds',
      run: ({ boot }) =>
        withApp(boot(), async (app) => {
          const { headers } = await send(app, { path: '/health' })
          const [, seconds] = /timeout=(\d+)/.exec(String(headers['keep-alive'])) ?? []
          assert.ok(Number(seconds) >= minKeepAliveSeconds, `Keep-Alive: ${headers['keep-alive']}`)
        }),
    },
    {
      title: 'without CORS_ORIGINS no page of another origin may call the API',
      run: ({ boot }) =>
        withApp(boot(), async (app) => {
          for (const call of callsOf(path, origin)) assertNotAllowed(await send(app, call))
        }),
    },
    {
      title: 'CORS_ORIGINS lets pages of these origins send requests and read all answers',
      run: ({ boot }) =>
        withApp(boot({ CORS_ORIGINS: `https://first.example.com, ${origin}` }), async (app) => {
          await assertAllowed(app, path, origin)
          for (const call of callsOf(path, other)) {
            const reply = await send(app, call)
            assertNotAllowed(reply)
            assert.match(String(reply.headers.vary), /\borigin\b/i, `${reply.call}: Vary`)
          }
        }),
    },
    {
      title: 'CORS_ORIGINS=* lets pages of every origin send requests',
      run: ({ boot }) =>
        withApp(boot({ CORS_ORIGINS: '*' }), (app) => assertAllowed(app, path, '*')),
    },
    {
      title:
        'GET /docs is a page without outside resources, and is off in production unless DOCS=1',
      run: async ({ boot }) => {
        const docsOf = (settings: Readonly<Record<string, string | undefined>>) =>
          withApp(boot(settings), (app) => send(app, { path: '/docs' }))
        const production = { NODE_ENV: 'production' }
        for (const settings of [{ NODE_ENV: undefined }, { ...production, DOCS: '1' }]) {
          const reply = await docsOf(settings)
          assertStatus(reply, 200)
          assert.match(String(reply.headers['content-type']), /^text\/html\b/)
          assert.doesNotMatch(reply.text, /(?:src|href)\s*=\s*["']?(?:https?:)?\/\//i)
          const policy = String(reply.headers['content-security-policy'])
          assert.match(policy, /default-src 'none'/)
          assert.doesNotMatch(policy, /unsafe|https?:|\*/)
        }
        assertError(await docsOf(production), 404)
        assertError(await docsOf({ NODE_ENV: undefined, DOCS: '0' }), 404)
      },
    },
    {
      title: 'GET /metrics counts requests by route if METRICS=1, and does not exist otherwise',
      run: async ({ boot }) => {
        await withApp(boot(), async (app) =>
          assertError(await send(app, { path: '/metrics' }), 404),
        )
        await withApp(boot({ METRICS: '1' }), async (app) => {
          for (const id of [900_000_061, 900_000_062]) await send(app, { path: `${path}/${id}` })
          await send(app, { path: '/nope/900000063' })
          const { headers, text } = await send(app, { path: '/metrics' })
          assert.match(String(headers['content-type']), /^text\/plain\b/)
          assert.doesNotMatch(text, /90000006/, 'a label contains an id')
          const count = text
            .split('\n')
            .find((line) => /_count\{.*"404"/.test(line) && line.includes(path))
          assert.match(String(count), /method="GET".*\} 2$/)
          assert.match(text, /^process_cpu_seconds_total \d/m)
        })
      },
    },
  ]
}

function callsOf(path: string, from: string): readonly Call[] {
  const preflight = {
    Origin: from,
    'Access-Control-Request-Method': 'PATCH',
    'Access-Control-Request-Headers': 'authorization,content-type',
  }
  return [
    { method: 'OPTIONS', path: `${path}/1`, headers: preflight },
    ...['/health', `${path}/abc`, '/nope'].map((each) => ({
      path: each,
      headers: { Origin: from },
    })),
  ]
}

async function assertAllowed(app: AppUnderTest, path: string, allowed: string): Promise<void> {
  const [preflight, ...replies] = await Promise.all(
    callsOf(path, origin).map((call) => send(app, call)),
  )
  assert.ok(preflight !== undefined)
  assertStatus(preflight, 204)
  assert.match(String(preflight.headers['access-control-allow-methods']), /\bPATCH\b/)
  const names = String(preflight.headers['access-control-allow-headers'])
  assert.match(names, /authorization.*content-type|content-type.*authorization/i)
  for (const { call, headers } of [preflight, ...replies]) {
    assert.equal(headers['access-control-allow-origin'], allowed, call)
  }
  for (const { call, headers } of replies) {
    const exposed = String(headers['access-control-expose-headers']).toLowerCase()
    for (const name of ['etag', 'location', 'retry-after']) assert.ok(exposed.includes(name), call)
  }
}

function assertNotAllowed({ call, headers }: Awaited<ReturnType<typeof send>>): void {
  assert.equal(headers['access-control-allow-origin'], undefined, call)
}
