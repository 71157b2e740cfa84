import { type EndpointName, endpoints } from './endpoints.ts'

/** Values of path parameters or of a query. Undefined values are not sent. */
export type Values = Readonly<Record<string, string | number | boolean | undefined>>

/** Returns the method and the escaped path, relative to `/api/v1`, of a call of an endpoint. */
export function requestLine(name: EndpointName, params: Values = {}, query: Values = {}) {
  const [method = '', template = ''] = endpoints[name].split(' ')
  const path = template.replace(/\{(\w+)\}/g, (_, key) => encodeURIComponent(String(params[key])))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) search.set(key, String(value))
  }
  return { method, path: search.size === 0 ? path : `${path}?${search}` }
}
