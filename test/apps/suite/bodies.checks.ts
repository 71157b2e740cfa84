import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { answered } from './answered.ts'
import { assertError, assertFaults, assertStatus } from './answers.ts'
import type { AppUnderTest, Check } from './check.ts'
import { type Call, type Reply, send } from './http.ts'
import { create, freshBody, list, type Resource, recordOf } from './resource.ts'

const mebibyte = 1024 * 1024
const asJson = { 'Content-Type': 'application/json' }

/** Checks of reading a request body, before its fields are validated. */
export function bodyChecks(resource: Resource): readonly Check[] {
  const { plural, path } = resource
  const postRaw = (app: AppUnderTest, call: Omit<Call, 'path' | 'method'>): Promise<Reply> =>
    send(app, { method: 'POST', path, headers: asJson, ...call })
  const refusedAs = (title: string, bodies: readonly string[]): Check => ({
    title: `${plural}: ${title}`,
    run: async (app) => {
      const { id } = await create(app, resource)
      const { total } = await list(app, resource)
      for (const body of bodies) {
        assertError(await postRaw(app, { body }), 400)
        const call = { method: 'PUT', path: `${path}/${id}`, headers: asJson, body }
        assertError(await send(app, call), 400)
      }
      assertStatus(await send(app, { path: `${path}/${id}` }), 200)
      assert.equal((await list(app, resource)).total, total, 'a refused body was stored')
    },
  })
  return [
    refusedAs('a body that is not JSON answers 400', [
      '',
      ' ',
      '{',
      '{"name":}',
      "{'name':'x'}",
      '{"name":"x"} tail',
      'name=x',
      '{"age":NaN}',
      '{"name":"\u0001"}',
      '<user/>',
    ]),
    refusedAs('a JSON body that is not an object answers 400', [
      '[]',
      '[{}]',
      '"x"',
      'null',
      '1',
      'true',
    ]),
    {
      title: `${plural}: a body without a JSON content type answers 415`,
      run: async (app) => {
        const { id } = await create(app, resource)
        const body = JSON.stringify(freshBody(resource))
        const types = ['text/plain', 'application/x-www-form-urlencoded', 'text/html']
        for (const type of [...types, 'multipart/form-data; boundary=x', 'application/jsonp']) {
          const headers = { 'Content-Type': type }
          assertError(await postRaw(app, { headers, body }), 415)
          const call = { method: 'PUT', path: `${path}/${id}`, headers, body }
          assertError(await send(app, call), 415)
        }
        assertError(await postRaw(app, { headers: {}, body }), 415)
        assertError(await postRaw(app, { headers: { 'Content-Type': ';;;' }, body }), 415, 400)
        assertError(await postRaw(app, { headers: {} }), 415, 400)
        assertError(await postRaw(app, { headers: {}, body: '' }), 415, 400)
      },
    },
    {
      title: `${plural}: application/json is accepted in any case and with a charset`,
      run: async (app) => {
        const types = ['application/json; charset=utf-8', 'Application/JSON;charset=UTF-8']
        for (const type of ['application/json', ...types]) {
          const body = JSON.stringify(freshBody(resource))
          assertStatus(await postRaw(app, { headers: { 'Content-Type': type }, body }), 201)
        }
      },
    },
    {
      title: `${plural}: a body of exactly 1 MiB is accepted with and without Content-Length`,
      run: async (app) => {
        for (const chunked of [false, true]) {
          const body = JSON.stringify(freshBody(resource)).padEnd(mebibyte)
          assertStatus(await postRaw(app, { body, chunked, alone: true }), 201)
        }
      },
    },
    {
      title: `${plural}: a body over 1 MiB answers 413 with and without Content-Length`,
      run: async (app) => {
        const { total } = await list(app, resource)
        for (const size of [mebibyte + 1, 3 * mebibyte]) {
          for (const chunked of [false, true]) {
            const body = JSON.stringify(freshBody(resource)).padEnd(size)
            const reply = await answered(() => postRaw(app, { body, chunked, alone: true }))
            assertError(reply, 413)
          }
        }
        assert.equal((await list(app, resource)).total, total, 'a large body was stored')
      },
    },
    {
      title: `${plural}: a compressed body cannot exceed the body limit`,
      run: async (app) => {
        const small = Buffer.from(JSON.stringify(freshBody(resource)))
        const bomb = gzipSync(JSON.stringify(freshBody(resource)).padEnd(20 * mebibyte))
        const headers = { ...asJson, 'Content-Encoding': 'gzip' }
        const compressed = await postRaw(app, { headers, body: gzipSync(small) })
        if (compressed.status === 201) recordOf(resource, compressed)
        else assertError(compressed, 415)
        assertError(
          await answered(() => postRaw(app, { headers, body: bomb, alone: true })),
          413,
          415,
        )
        assertError(await postRaw(app, { headers, body: small }), 400, 415)
        const unknown = { ...asJson, 'Content-Encoding': 'zip' }
        assertError(await postRaw(app, { headers: unknown, body: small }), 400, 415)
      },
    },
    {
      title: `${plural}: bodies that are not UTF-8 answer 4xx`,
      run: async (app) => {
        const text = JSON.stringify(freshBody(resource))
        const broken = Buffer.concat([
          Buffer.from('{"x":"'),
          Buffer.from([0xff]),
          Buffer.from('"}'),
        ])
        assertError(await postRaw(app, { body: broken }), 400)
        const headers = { 'Content-Type': 'application/json; charset=klingon' }
        assertError(await postRaw(app, { headers, body: text }), 415, 400)
      },
    },
    {
      title: `${plural}: a deeply nested value and hundreds of unknown fields answer 400`,
      run: async (app) => {
        const { name } = resource.fields[0] ?? { name: 'name' }
        const rest = JSON.stringify({ ...freshBody(resource), [name]: undefined }).slice(1, -1)
        const deep = `{"${name}":${'['.repeat(50_000)}${']'.repeat(50_000)},${rest}}`
        assertFaults(await postRaw(app, { body: deep }), [name], 'deeply nested')
        const wide = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`extra_${at}`, at]))
        const reply = await postRaw(app, {
          body: JSON.stringify({ ...freshBody(resource), ...wide }),
        })
        assertFaults(reply, Object.keys(wide), 'with 300 unknown fields')
      },
    },
  ]
}
