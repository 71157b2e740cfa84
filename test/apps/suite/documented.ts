import assert from 'node:assert/strict'
import { objectOf } from './answers.ts'
import { jsonOf, type Reply } from './http.ts'
import type { Located, OpenApi, Operation } from './openapi-document.ts'

/** Throws unless the status of the response is documented and its body matches the schema. */
export function assertDocumented(api: OpenApi, operation: Operation, reply: Reply): void {
  if (reply.status === 204) {
    const answer = api.locate([...operation.keys, 'responses', '204'])
    assert.ok(answer !== undefined, `${reply.call}: its 204 is not documented`)
    assert.equal(objectOf(answer.value, '204').content, undefined, 'a 204 documents a body')
    return
  }
  assertFit(api, answerSchema(api, operation, reply.status), jsonOf(reply), reply.call)
}

/** Returns the schema of a response by status. Throws if there is none. */
export function answerSchema(api: OpenApi, operation: Operation, status: number): Located {
  const keys = [`${status}`, `${Math.floor(status / 100)}XX`, 'default']
  const answer = keys.map((key) => api.locate([...operation.keys, 'responses', key])).find(Boolean)
  const said = `${operation.method} ${operation.path}: its ${status}`
  assert.ok(answer !== undefined, `${said} is not documented`)
  const schema = api.locate([...answer.keys, 'content', 'application/json', 'schema'])
  return schema ?? assert.fail(`${said} has no schema`)
}

/** Returns the schema of a JSON body. Throws if there is none. */
export function bodySchema(api: OpenApi, operation: Operation): Located {
  const keys = [...operation.keys, 'requestBody', 'content', 'application/json', 'schema']
  const said = `${operation.method} ${operation.path}`
  return api.locate(keys) ?? assert.fail(`${said}: its body is not documented`)
}

/** Returns the schema of a query or path parameter. Throws if it is not documented. */
export function parameterSchema(
  api: OpenApi,
  operation: Operation,
  name: string,
  place: string,
): Located {
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

export function assertFit(api: OpenApi, schema: Located, value: unknown, said: string): void {
  const misfit = api.misfit(schema, value)
  assert.equal(misfit, undefined, `${said} does not fit its documented schema: ${misfit}`)
}

export function assertMisfit(api: OpenApi, schema: Located, value: unknown, said: string): void {
  assert.notEqual(api.misfit(schema, value), undefined, `the documented schema takes ${said}`)
}
