import assert from 'node:assert/strict'
import { Validator } from '@seriousme/openapi-schema-validator'
import { assertStatus, type JsonObject, objectOf } from './answers.ts'
import type { AppUnderTest, Check } from './check.ts'
import { type Contract, fillPath, methods } from './contract.ts'
import { jsonOf, type Reply, send } from './http.ts'
import { type Located, type OpenApi, type Operation, openApiOf } from './openapi-document.ts'
import { create, freshBody, type Resource } from './resource.ts'

const absentId = 900_000_009

/** `/openapi.json` describes exactly what is served. */
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
          const reply = await fitting(app, operation, resources)
          assert.notEqual(reply.status, 405, `${reply.call} is documented`)
          assert.notEqual(reply.status, 404, `${reply.call} is documented`)
          assert.ok(reply.status < 500, `${reply.call} answered ${reply.status}`)
        }
      },
    },
    {
      title: 'a method that a documented path does not document is 405',
      run: async (app) => {
        const { operations } = await openApiOf(app)
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
      title: 'answers match the schemas that document them',
      run: async (app) => {
        const api = await openApiOf(app)
        for (const [path, reply] of await sampleAnswers(app, resources)) {
          const method = reply.call.split(' ')[0] ?? ''
          assertDocumented(api, api.operation(method, path), reply)
        }
      },
    },
    {
      title: 'the documented schemas are no wider than the answers',
      run: async (app) => {
        const api = await openApiOf(app)
        for (const resource of resources) {
          const item = api.operation('GET', `${resource.path}/{id}`)
          const listed = api.operation('GET', resource.path)
          const record = await create(app, resource)
          for (const key of resource.keys) {
            for (const value of [undefined, {}]) {
              const wrong: unknown = JSON.parse(JSON.stringify({ ...record, [key]: value }))
              const said = `with ${key} ${JSON.stringify(value)}`
              assertMisfit(api, answerSchema(api, item, 200), wrong, said)
              const page = { [resource.plural]: [wrong], total: 1 }
              assertMisfit(api, answerSchema(api, listed, 200), page, said)
            }
          }
          assertMisfit(api, answerSchema(api, listed, 200), { total: 1 }, 'without its records')
          assertMisfit(api, answerSchema(api, item, 404), {}, 'without an error')
        }
      },
    },
    {
      title: 'the documented request bodies fit what is accepted, and not what is refused',
      run: async (app) => {
        const api = await openApiOf(app)
        for (const resource of resources) {
          const posted = bodySchema(api, api.operation('POST', resource.path))
          const put = bodySchema(api, api.operation('PUT', `${resource.path}/{id}`))
          assertFit(api, posted, freshBody(resource), 'a create')
          assertFit(api, put, freshBody(resource), 'an update')
          for (const { name } of resource.fields) {
            const { [name]: value, ...rest } = freshBody(resource)
            assertMisfit(api, posted, rest, `a create without ${name}`)
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

/** A request the operation is there for; only its status counts. */
async function fitting(
  app: AppUnderTest,
  operation: Operation,
  resources: readonly Resource[],
): Promise<Reply> {
  const { method, path } = operation
  const resource = resources.find((each) => path === each.path || path.startsWith(`${each.path}/{`))
  const id = resource === undefined ? 1 : (await create(app, resource)).id
  const isWrite = method === 'POST' || method === 'PUT' || method === 'PATCH'
  const json = resource === undefined ? {} : freshBody(resource)
  return send(app, { method, path: fillPath(path, id), ...(isWrite ? { json } : {}) })
}

/** Answers of every documented kind, each with the path of its route. */
async function sampleAnswers(
  app: AppUnderTest,
  resources: readonly Resource[],
): Promise<readonly (readonly [string, Reply])[]> {
  const samples: (readonly [string, Reply])[] = []
  const take = async (route: string, method: string, path: string, json?: JsonObject) => {
    const call = { method, path, ...(json === undefined ? {} : { json }) }
    samples.push([route, await send(app, call)])
  }
  await take('/health', 'GET', '/health')
  for (const resource of resources) {
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
  }
  return samples
}

function assertDocumented(api: OpenApi, operation: Operation, reply: Reply): void {
  if (reply.status === 204) {
    const answer = api.locate([...operation.keys, 'responses', '204'])
    assert.ok(answer !== undefined, `${reply.call}: its 204 is not documented`)
    assert.equal(objectOf(answer.value, '204').content, undefined, 'a 204 documents a body')
    return
  }
  assertFit(api, answerSchema(api, operation, reply.status), jsonOf(reply), reply.call)
}

function answerSchema(api: OpenApi, operation: Operation, status: number): Located {
  const keys = [`${status}`, `${Math.floor(status / 100)}XX`, 'default']
  const answer = keys.map((key) => api.locate([...operation.keys, 'responses', key])).find(Boolean)
  const said = `${operation.method} ${operation.path}: its ${status}`
  assert.ok(answer !== undefined, `${said} is not documented`)
  const schema = api.locate([...answer.keys, 'content', 'application/json', 'schema'])
  return schema ?? assert.fail(`${said} has no schema`)
}

function bodySchema(api: OpenApi, operation: Operation): Located {
  const keys = [...operation.keys, 'requestBody', 'content', 'application/json', 'schema']
  const said = `${operation.method} ${operation.path}`
  return api.locate(keys) ?? assert.fail(`${said}: its body is not documented`)
}

function parameterSchema(api: OpenApi, operation: Operation, name: string, place: string): Located {
  const said = `${operation.method} ${operation.path}: the parameter ${name}`
  for (const keys of [operation.keys, operation.keys.slice(0, -1)]) {
    const { value } = api.locate([...keys, 'parameters']) ?? { value: [] }
    const count = Array.isArray(value) ? value.length : 0
    for (let at = 0; at < count; at += 1) {
      const parameter = api.locate([...keys, 'parameters', `${at}`])
      const each = objectOf(parameter?.value, said)
      if (parameter === undefined || each.name !== name || each.in !== place) continue
      assert.equal(each.required === true, place === 'path', `${said}: required`)
      return api.locate([...parameter.keys, 'schema']) ?? assert.fail(`${said} has no schema`)
    }
  }
  return assert.fail(`${said} is not documented`)
}

function assertFit(api: OpenApi, schema: Located, value: unknown, said: string): void {
  const misfit = api.misfit(schema, value)
  assert.equal(misfit, undefined, `${said} does not fit its documented schema: ${misfit}`)
}

function assertMisfit(api: OpenApi, schema: Located, value: unknown, said: string): void {
  assert.notEqual(api.misfit(schema, value), undefined, `the documented schema takes ${said}`)
}

function operationIds(document: JsonObject): readonly string[] {
  const text = JSON.stringify(document.paths)
  return [...text.matchAll(/"operationId":"([^"]*)"/g)].map(([, id]) => id ?? '')
}
