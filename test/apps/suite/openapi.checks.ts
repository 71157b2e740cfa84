import assert from 'node:assert/strict'
import { Validator } from '@seriousme/openapi-schema-validator'
import { assertStatus, type JsonObject, objectOf } from './answers.ts'
import type { AppUnderTest, Check } from './check.ts'
import { type Contract, fillPath, methods } from './contract.ts'
import {
  answerSchema,
  assertDocumented,
  assertFit,
  assertMisfit,
  bodySchema,
  parameterSchema,
} from './documented.ts'
import { jsonOf, type Reply, responsesOf, send } from './http.ts'
import { type OpenApi, type Operation, openApiOf } from './openapi-document.ts'
import { prepared } from './prepared.ts'
import { create, findWhole, freshBody, list, pageKeys, type Resource } from './resource.ts'

const absentId = 900_000_009

/** Checks that `/openapi.json` describes exactly the served routes. */
export function openApiChecks(contract: Contract): readonly Check[] {
  const { resources } = contract
  return [
    {
      title: 'openapi.json is a valid OpenAPI 3.1 document',
      run: async (app) => {
        const { document } = await openApiOf(app)
        assert.match(String(document.openapi), /^3\.1\.\d+$/)
        const { valid, errors } = await new Validator().validate(structuredClone(document))
        assert.ok(valid, `the document is not valid: ${JSON.stringify(errors)?.slice(0, 1000)}`)
        const ids = operationIds(document)
        assert.equal(new Set(ids).size, ids.length, `an operationId twice: ${ids.join(', ')}`)
      },
    },
    {
      title: 'openapi.json documents every route of the contract',
      run: async (app) => {
        const api = await openApiOf(app)
        const routes = contract.routes.filter(({ path }) => path !== '/openapi.json')
        for (const { path, methods } of routes) {
          for (const method of methods) api.operation(method, path)
        }
      },
    },
    {
      title: 'every documented operation is served',
      run: async (app) => {
        for (const operation of (await openApiOf(app)).operations) {
          const reply = await fitting(app, operation, contract)
          assert.notEqual(reply.status, 405, `${reply.call} is documented`)
          assert.notEqual(reply.status, 404, `${reply.call} is documented`)
          assert.ok(reply.status < 500, `${reply.call} answered ${reply.status}`)
        }
      },
    },
    {
      title: 'a method that a documented path lacks answers 405',
      run: async (bare) => {
        const { operations } = await openApiOf(bare)
        const [first] = resources
        const { app } = first === undefined ? { app: bare } : await prepared(bare, first)
        for (const path of new Set(operations.map((operation) => operation.path))) {
          const documented = operations.filter((each) => each.path === path)
          for (const method of methods) {
            if (documented.some((each) => each.method === method)) continue
            assertStatus(await send(app, { method, path: fillPath(path, absentId) }), 405)
          }
        }
      },
    },
    {
      title: 'responses match their documented schemas',
      run: async (app) => {
        const api = await openApiOf(app)
        for (const path of ['/health', '/ready']) {
          assertDocumented(api, api.operation('GET', path), await send(app, { path }))
        }
        const samples = await Promise.all(resources.map((each) => sampleAnswers(app, each)))
        for (const [path, reply] of samples.flat()) {
          const method = reply.call.split(' ')[0] ?? ''
          assertDocumented(api, api.operation(method, path), reply)
        }
      },
    },
    {
      title: 'every status that the suite meets is documented',
      run: async (bare) => {
        const api = await openApiOf(bare)
        for (const each of resources) {
          const { app, resource } = await prepared(bare, each)
          await sampleAnswers(bare, each)
          await send(app, { method: 'POST', path: resource.path, body: '{}' })
          await send(bare, { method: 'POST', path: resource.path, json: freshBody(resource) })
        }
        const missing = responsesOf(bare).filter(([method = '', path = '', status = '']) => {
          const operation = operationOf(api, method, path)
          return operation && !isDocumented(api, operation, status)
        })
        const lines = new Set(missing.map((response) => response.join(' ')))
        assert.deepEqual([...lines].slice(0, 20), [], 'statuses that openapi.json lacks')
      },
    },
    {
      title: 'the documented schemas allow nothing that responses never contain',
      run: async (app) => {
        const api = await openApiOf(app)
        for (const resource of resources) {
          const item = api.operation('GET', `${resource.path}/{id}`)
          const listed = api.operation('GET', resource.path)
          const ready = await prepared(app, resource)
          const { id } = await create(ready.app, ready.resource)
          const record = await findWhole(ready.app, resource, id)
          const page = await listPage(ready.app, resource)
          for (const key of [...resource.keys, ...(resource.detailKeys ?? [])]) {
            for (const value of [undefined, {}]) {
              const wrong = withKey(record, key, value)
              const said = `a record with ${key} ${JSON.stringify(value)}`
              assertMisfit(api, answerSchema(api, item, 200), wrong, said)
            }
          }
          for (const key of resource.keys) {
            for (const value of [undefined, {}]) {
              const [first] = page[resource.plural] as readonly JsonObject[] // list() validated it
              const wrong = { ...page, [resource.plural]: [withKey(first ?? {}, key, value)] }
              const said = `a list with ${key} ${JSON.stringify(value)}`
              assertMisfit(api, answerSchema(api, listed, 200), wrong, said)
            }
          }
          for (const key of [resource.plural, ...pageKeys]) {
            const wrong = withKey(page, key, undefined)
            assertMisfit(api, answerSchema(api, listed, 200), wrong, `a list without ${key}`)
          }
          assertMisfit(api, answerSchema(api, item, 404), {}, 'without an error')
        }
      },
    },
    {
      title: 'the documented request bodies match exactly the accepted bodies',
      run: async (app) => {
        const api = await openApiOf(app)
        for (const resource of resources) {
          const posted = bodySchema(api, api.operation('POST', resource.path))
          const put = bodySchema(api, api.operation('PUT', `${resource.path}/{id}`))
          const ready = await prepared(app, resource)
          assertFit(api, posted, freshBody(ready.resource), 'a create')
          assertFit(api, put, freshBody(ready.resource), 'an update')
          for (const { name, optional } of resource.fields) {
            const { [name]: value, ...rest } = freshBody(ready.resource)
            if (optional === true) assertFit(api, posted, rest, `a create without ${name}`)
            else assertMisfit(api, posted, rest, `a create without ${name}`)
            assertMisfit(api, posted, { ...rest, [name]: {} }, `a create with ${name} {}`)
            assertFit(api, put, { [name]: value }, `an update of ${name}`)
            assertMisfit(api, put, { [name]: {} }, `an update with ${name} {}`)
          }
        }
      },
    },
    {
      title: 'the parameters of lists and records are documented with their ranges',
      run: async (app) => {
        const api = await openApiOf(app)
        for (const resource of resources) {
          const operation = api.operation('GET', resource.path)
          const page = parameterSchema(api, operation, 'page', 'query')
          const size = parameterSchema(api, operation, 'page_size', 'query')
          for (const fit of [1, 100]) {
            assertFit(api, page, fit, `page ${fit}`)
            assertFit(api, size, fit, `page_size ${fit}`)
          }
          for (const wrong of [0, -1, 1.5]) {
            assertMisfit(api, page, wrong, `page ${wrong}`)
            assertMisfit(api, size, wrong, `page_size ${wrong}`)
          }
          assertMisfit(api, size, 101, 'page_size 101')
          for (const method of ['GET', 'PUT', 'DELETE']) {
            const item = api.operation(method, `${resource.path}/{id}`)
            const name = /\{([^}]*)\}/.exec(item.path)?.[1] ?? 'id'
            assertMisfit(api, parameterSchema(api, item, name, 'path'), 0, 'the id 0')
          }
        }
      },
    },
  ]
}

/** Sends a valid request of the operation; only the status matters. */
async function fitting(
  bare: AppUnderTest,
  { method, path }: Operation,
  { resources, requests = {} }: Contract,
): Promise<Reply> {
  const request = requests[`${method} ${path}`]
  const found = resources.find((each) => path === each.path || path.startsWith(`${each.path}/{`))
  if (request !== undefined) return send(bare, await request(bare))
  if (found === undefined) return send(bare, { method, path: fillPath(path, 1) })
  const { app, resource } = await prepared(bare, found)
  const { id } = await create(app, resource)
  const json = freshBody(resource)
  const isWrite = method === 'POST' || method === 'PUT' || method === 'PATCH'
  return send(app, { method, path: fillPath(path, id), ...(isWrite ? { json } : {}) })
}

/** Returns responses of every documented kind, each with the path of its route. */
async function sampleAnswers(
  bare: AppUnderTest,
  unprepared: Resource,
): Promise<readonly (readonly [string, Reply])[]> {
  const { app, resource } = await prepared(bare, unprepared)
  const samples: (readonly [string, Reply])[] = []
  const take = async (route: string, method: string, path: string, json?: JsonObject) => {
    const call = { method, path, ...(json === undefined ? {} : { json }) }
    samples.push([route, await send(app, call)])
  }
  const { path } = resource
  const item = `${path}/{id}`
  const { id } = await create(app, resource)
  await take(path, 'GET', path)
  await take(path, 'GET', `${path}?page=0&page_size=x`)
  await take(path, 'POST', path, freshBody(resource))
  await take(path, 'POST', path, { nickname: 1 })
  await take(item, 'PUT', `${path}/${id}`, freshBody(resource))
  await take(item, 'PUT', `${path}/${id}`, {})
  await take(item, 'PUT', `${path}/${absentId}`, freshBody(resource))
  for (const method of ['GET', 'DELETE']) {
    for (const each of [id, 'abc', absentId]) await take(item, method, `${path}/${each}`)
  }
  return samples
}

/** Finds the operation of a request; undefined if the document has no such path or method. */
function operationOf({ operations }: OpenApi, method: string, path: string): Operation | undefined {
  const segments = path.split('/')
  return operations.find((operation) => {
    const expected = operation.path.split('/')
    return (
      operation.method === method &&
      expected.length === segments.length &&
      expected.every((each, at) => each.startsWith('{') || each === segments[at])
    )
  })
}

function isDocumented({ locate }: OpenApi, { keys }: Operation, status: string): boolean {
  const names = [status, `${status[0]}XX`, 'default']
  return names.some((name) => locate([...keys, 'responses', name]) !== undefined)
}

async function listPage(app: AppUnderTest, resource: Resource) {
  await list(app, resource, 'page_size=1')
  const reply = await send(app, { path: `${resource.path}?page_size=1` })
  return objectOf(jsonOf(reply), reply.call)
}

function withKey(record: JsonObject, key: string, value: unknown): JsonObject {
  const { [key]: _, ...rest } = record
  return value === undefined ? rest : { ...rest, [key]: value }
}

function operationIds(document: JsonObject): readonly string[] {
  const text = JSON.stringify(document.paths)
  return [...text.matchAll(/"operationId":"([^"]*)"/g)].map(([, id]) => id ?? '')
}
