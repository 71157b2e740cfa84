import assert from 'node:assert/strict'
import { assertError, assertStatus } from './answers.ts'
import type { Check } from './check.ts'
import { type Contract, fillPath, methods } from './contract.ts'
import { send } from './http.ts'

const absentId = 900_000_001

/** Checks of unknown paths and unsupported methods. */
export function pathChecks(contract: Contract): readonly Check[] {
  const { path: collection } = contract.resources[0] ?? { path: '/api/v1' }
  return [
    {
      title: 'an unknown path answers 404 with a JSON error for every method and Accept header',
      run: async (app) => {
        const paths = ['/nope', '/api', '/api/v1/nope', '/api/v2/users', `${collection}x`, '/users']
        for (const path of [...paths, `${collection}/1/nope`, '/health/nope', '/nope?page=1']) {
          assertError(await send(app, { path }), 404)
          assertError(await send(app, { path, headers: { Accept: 'text/html' } }), 404)
        }
        for (const method of methods) assertError(await send(app, { method, path: '/nope' }), 404)
        assertError(await send(app, { method: 'POST', path: '/api/v1/nope', json: {} }), 404)
      },
    },
    {
      title: 'a badly encoded path or a path with dot segments answers 400 or 404',
      run: async (app) => {
        for (const last of [
          '%',
          '%zz',
          '%E0%A4%A',
          '%ff',
          '%00',
          '..%2f..%2fetc%2fpasswd',
          '%2e%2e',
        ]) {
          for (const base of ['/', `${collection}/`, '/nope/']) {
            assertError(await send(app, { path: `${base}${last}` }), 400, 404)
          }
        }
        assertError(await send(app, { path: `${collection}?page=%zz` }), 400)
      },
    },
    {
      title: 'an unsupported method answers 405, and Allow lists exactly the supported methods',
      run: async (app) => {
        for (const route of contract.routes) {
          const served: readonly string[] = route.methods
          for (const method of [...methods, 'PROPFIND'].filter((each) => !served.includes(each))) {
            const reply = await send(app, { method, path: fillPath(route.path, absentId) })
            assertError(reply, 405)
            const allow = String(reply.headers.allow ?? '').split(/\s*,\s*/)
            const listed = allow.filter((each) => each !== 'HEAD' && each !== 'OPTIONS')
            assert.deepEqual(listed.sort(), [...route.methods].sort(), `${reply.call}: Allow`)
          }
        }
      },
    },
    {
      title: 'HEAD answers like GET without a body',
      run: async (app) => {
        const served = contract.routes.filter((route) => route.methods.includes('GET'))
        for (const route of served) {
          const path = fillPath(route.path, absentId)
          const got = await send(app, { path })
          const headed = await send(app, { method: 'HEAD', path })
          assertStatus(headed, got.status)
          assert.equal(headed.text, '')
          assert.equal(headed.headers['content-type'], got.headers['content-type'], headed.call)
        }
      },
    },
  ]
}
