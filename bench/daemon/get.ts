import { masterToken } from './stratad.ts'

export const withToken: Headers = { authorization: `Bearer ${masterToken}` }

type Headers = Readonly<Record<string, string>>

/** Returns the text of a GET request. */
export function get(path: string, headers: Headers = {}): string {
  const all = { host: '127.0.0.1', accept: 'application/json', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}
