import assert from 'node:assert/strict'
import { assertStatus } from './answers.ts'
import type { AppUnderTest, Check } from './check.ts'
import { send } from './http.ts'
import { headerLines, openRaw } from './raw.ts'
import { create, list, type Resource } from './resource.ts'

/** Checks of pipelined requests. */
export function pipelineCheck({ path }: Resource): Check {
  return {
    title: 'pipelined requests are answered in order',
    run: async (app) => {
      const text = await talk(app, [
        request('GET', '/health'),
        request('HEAD', '/health'),
        request('GET', '/nope'),
        request('GET', path, `${headerLines(app)}Connection: close\r\n`),
      ])
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)
      assert.deepEqual(statuses, ['200', '200', '404', '200'])
      const first = text.indexOf('"timestamp"')
      assert.ok(first > 0 && first === text.lastIndexOf('"timestamp"'), 'HEAD has a body')
    },
  }
}

/** Checks of connections: pipelining, rejected bodies and malformed requests. */
export function connectionChecks(resource: Resource): readonly Check[] {
  const { plural, path } = resource
  return [
    {
      title: `${plural}: a delete answers 204 with nothing after its headers`,
      run: async (app) => {
        const { id } = await create(app, resource)
        const close = `${headerLines(app)}Connection: close\r\n`
        const text = await talk(app, [request('DELETE', `${path}/${id}`, close)])
        assert.match(text, /^HTTP\/1\.1 204 /)
        assert.match(text, /\r\n\r\n$/, 'a 204 has no body')
        assert.equal(text.split('\r\n\r\n').length, 2, 'a 204 has no body')
        assert.doesNotMatch(text, /\r\ncontent-length: *[1-9]/i)
      },
    },
    {
      title: `${plural}: a connection stays usable after a rejected body`,
      run: async (app) => {
        const bodies = ['{', '{"nickname":1}', 'x'.repeat(5000)]
        const refused = bodies.map((body) =>
          request('POST', path, `${headerLines(app)}${jsonHeaders(body)}`, body),
        )
        const text = await talk(app, [
          ...refused,
          request('GET', '/health', 'Connection: close\r\n'),
        ])
        const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)
        assert.deepEqual(statuses, ['400', '400', '400', '200'])
      },
    },
    {
      title: `${plural}: an aborted or malformed request does not disturb other clients`,
      run: async (app) => {
        const { total } = await list(app, resource)
        const headers = `${headerLines(app)}${jsonHeaders('x'.repeat(999))}`
        const half = `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n{"name":"`
        const nonsense = [
          '',
          '\r\n\r\n',
          'GARBAGE\r\n\r\n',
          `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n\r\n`,
        ]
        const many = `GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${'y'.repeat(100_000)}\r\n\r\n`
        for (const bytes of [half, many, ...nonsense]) {
          const connection = await openRaw(app)
          connection.write(bytes)
          assertStatus(await send(app, { path: '/health' }), 200)
          connection.destroy()
        }
        assertStatus(await send(app, { path: '/health' }), 200)
        assert.equal((await list(app, resource)).total, total)
      },
    },
  ]
}

/** Pipelines the requests, the last with `Connection: close`, and returns all received bytes. */
async function talk(app: AppUnderTest, requests: readonly string[]): Promise<string> {
  const connection = await openRaw(app)
  connection.write(requests.join(''))
  const text = await connection.ended()
  connection.destroy()
  return text
}

function request(method: string, path: string, headers = '', body = ''): string {
  return `${method} ${path} HTTP/1.1\r\nHost: conformance\r\n${headers}\r\n${body}`
}

function jsonHeaders(body: string): string {
  return `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
}
