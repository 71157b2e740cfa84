import type { RequestHandler } from 'express'
import type { ApiDoc, Json } from './openapi.js'

/** The former paths of renamed collections under /api/v1, and their paths now. */
const aliases: Readonly<Record<string, string>> = {
  '/groups': '/categories',
  '/topics': '/categories',
}

/** Answers requests to a former path like requests to the path that replaced it. */
export const serveAliases: RequestHandler = (req, _res, next) => {
  const [, former = '', rest = ''] = /^(\/[^/?]*)(.*)$/.exec(req.url) ?? []
  const path = aliases[former.toLowerCase()]
  if (path !== undefined) req.url = path + rest
  next()
}

/** Adds the former paths to parts of /openapi.json, as deprecated. */
export function withAliases(docs: readonly ApiDoc[]): ApiDoc[] {
  const paths = docs.flatMap((doc) => Object.entries(doc))
  const former = Object.entries(aliases).flatMap(([from, to]) =>
    paths
      .filter(([path]) => `${path}/`.startsWith(`/api/v1${to}/`))
      .map(([path, item]) => [path.replace(to, from), deprecated(item)]),
  )
  return [...docs, Object.fromEntries(former)]
}

/** Marks the operations of a path as deprecated. Removes their ids, which are unique in a document. */
function deprecated(item: unknown): Json {
  const members = Object.entries(Object(item)).map(([key, member]) => {
    if (key === 'parameters') return [key, member]
    const { operationId: _id, ...operation } = Object(member)
    return [key, { ...operation, deprecated: true }]
  })
  return Object.fromEntries(members)
}
