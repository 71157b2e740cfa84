import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import { type Daemon, masterToken, webhookSecret } from './daemon.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  readonly text: string
  /** The parsed JSON body, undefined if the body is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on the members of the parsed body.
  readonly body: any
}

/** Sends a request to the daemon. `token` defaults to the master token; null sends none. */
export function call(
  daemon: Daemon,
  method: string,
  path: string,
  body?: unknown,
  options: { token?: string | null; headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  const { token = masterToken, headers = {} } = options
  return send(new URL(daemon.url + path), {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
}

/** Uploads a backup, which the daemon restores at its next start. */
export function restore(daemon: Daemon, tar: Buffer): Promise<Answer> {
  return send(new URL(`${daemon.url}/backup/restore`), {
    method: 'POST',
    headers: { authorization: `Bearer ${masterToken}`, 'content-type': 'application/x-tar' },
    body: tar,
  })
}

/** Sends a request to an app through the gateway: GET, or POST of JSON if there is a body. */
export function visit(
  daemon: Daemon,
  host: string,
  path = '/',
  { body, token }: { body?: unknown; token?: string | undefined } = {},
): Promise<Answer> {
  return send(new URL(`http://127.0.0.1:${daemon.gatewayPort}${path}`), {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      host,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
}

/** Sends a signed push webhook of GitHub. */
export function push(
  daemon: Daemon,
  input: { url: string; branch: string; sha: string; delivery?: string; deleted?: boolean },
): Promise<Answer> {
  const body = JSON.stringify({
    ref: `refs/heads/${input.branch}`,
    before: '0'.repeat(40),
    after: input.deleted ? '0'.repeat(40) : input.sha,
    deleted: input.deleted ?? false,
    repository: {
      full_name: new URL(input.url).pathname.slice(1).replace(/\.git$/, ''),
      clone_url: input.url,
      html_url: input.url.replace(/\.git$/, ''),
    },
  })
  const signature = createHmac('sha256', webhookSecret).update(body).digest('hex')
  return send(new URL(`${daemon.url}/webhooks/github`), {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-hub-signature-256': `sha256=${signature}`,
      ...(input.delivery ? { 'x-github-delivery': input.delivery } : {}),
    },
  })
}

/** Uses a new connection per request, so that requests are independent. */
function send(
  url: URL,
  options: { method?: string; headers: Record<string, string>; body?: string | Buffer | undefined },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers, body } = options
    const made = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes,
          text,
          body: jsonOf(text),
        })
      })
    })
    made.on('error', reject)
    made.end(body)
  })
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the members of the parsed body.
function jsonOf(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
