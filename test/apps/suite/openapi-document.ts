import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { assertStatus, type JsonObject, objectOf } from './answers.ts'
import type { AppUnderTest } from './check.ts'
import { type Method, methods } from './contract.ts'
import { jsonOf, send } from './http.ts'

/** A served OpenAPI document with lookups for the checks. */
export interface OpenApi {
  readonly document: JsonObject
  readonly operations: readonly Operation[]
  /** Finds the operation of a route; names of path parameters do not matter. */
  readonly operation: (method: string, path: string) => Operation
  /** Returns the value at these keys, following references; undefined if absent. */
  readonly locate: (keys: readonly string[]) => Located | undefined
  /** Returns why a value violates the schema at a location; undefined if it is valid. */
  readonly misfit: (schema: Located, value: unknown) => string | undefined
}

export interface Operation {
  readonly method: Method
  /** Path with the base path of the server: `/api/v1/users/{id}`. */
  readonly path: string
  /** Location in the document. */
  readonly keys: readonly string[]
}

export interface Located {
  readonly keys: readonly string[]
  readonly value: unknown
}

const documentUri = 'https://conformance.invalid/openapi.json'

/** Fetches `/openapi.json`. Throws if it is not a JSON object with paths. */
export async function openApiOf(app: AppUnderTest): Promise<OpenApi> {
  const reply = await send(app, { path: '/openapi.json' })
  assertStatus(reply, 200)
  const document = objectOf(jsonOf(reply), '/openapi.json')
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })
  ajv.addSchema(document, documentUri)
  const operations = operationsOf(document)
  const sameRoute = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}')
  return {
    document,
    operations,
    operation: (method, path) => {
      const found = operations.find(
        (each) => each.method === method && sameRoute(each.path) === sameRoute(path),
      )
      return found ?? assert.fail(`${method} ${path} is not documented`)
    },
    locate: (keys) => locate(document, keys),
    misfit: ({ keys }, value) => {
      const validate = ajv.getSchema(`${documentUri}#${pointerOf(keys)}`)
      assert.ok(validate !== undefined, `no schema stands at ${pointerOf(keys)}`)
      return validate(value) === true ? undefined : ajv.errorsText(validate.errors)
    },
  }
}

function operationsOf(document: JsonObject): readonly Operation[] {
  const root = prefixOf(document.servers, '')
  return Object.entries(objectOf(document.paths, 'paths')).flatMap(([path, value]) => {
    const item = objectOf(value, path)
    const prefix = prefixOf(item.servers, root)
    return methods
      .filter((method) => item[method.toLowerCase()] !== undefined)
      .map((method) => ({
        method,
        path: `${prefix}${path}`,
        keys: ['paths', path, method.toLowerCase()],
      }))
  })
}

function prefixOf(servers: unknown, otherwise: string): string {
  if (!Array.isArray(servers) || servers.length === 0) return otherwise
  const { url } = objectOf(servers[0], 'a server')
  return new URL(String(url), 'http://server.invalid').pathname.replace(/\/$/, '')
}

function locate(document: JsonObject, keys: readonly string[]): Located | undefined {
  let at: Located = { keys: [], value: document }
  for (const key of keys) {
    if (typeof at.value !== 'object' || at.value === null) return undefined
    const value: unknown = Object.entries(at.value).find(([name]) => name === key)?.[1]
    if (value === undefined) return undefined
    at = followed(document, { keys: [...at.keys, key], value })
  }
  return at
}

function followed(document: JsonObject, at: Located): Located {
  const reference =
    typeof at.value === 'object' && at.value !== null && '$ref' in at.value ? at.value.$ref : ''
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return at
  const keys = reference.slice(2).split('/').map(decodeURIComponent).map(unescaped)
  return locate(document, keys) ?? assert.fail(`${reference} refers to nothing`)
}

function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}

function pointerOf(keys: readonly string[]): string {
  const escaped = keys.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
  return escaped.map((key) => `/${encodeURIComponent(key)}`).join('')
}
