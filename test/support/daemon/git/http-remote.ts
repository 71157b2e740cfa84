import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface HttpRemote {
  readonly url: string
  /** `<method> <path> <authorization>` of each request. */
  readonly requests: string[]
  /** Called for each request. Returns true if it has sent the response. */
  before: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>
}

/** Serves the repositories below `root` with `git http-backend`. Requires `password` if it is given. */
export async function startHttpRemote(root: string, password?: string): Promise<HttpRemote> {
  const remote: { -readonly [K in keyof HttpRemote]: HttpRemote[K] } = {
    url: '',
    requests: [],
    before: () => false,
  }
  const server = createServer(async (request, response) => {
    const { authorization = '' } = request.headers
    remote.requests.push(`${request.method} ${request.url} ${authorization}`)
    if (await remote.before(request, response)) return
    const credential = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()
    if (password !== undefined && credential.slice(credential.indexOf(':') + 1) !== password) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    serve(root, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  remote.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return remote
}

/** Runs `git http-backend` as a CGI program (RFC 3875). */
function serve(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: searchParams.toString(),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  request.pipe(child.stdin)
  child.stdin.on('error', () => {})
  let head = Buffer.alloc(0)
  let isBody = false
  child.stdout.on('data', (chunk: Buffer) => {
    if (isBody) return response.write(chunk)
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    isBody = true
    const lines = head.subarray(0, end).toString().split('\r\n')
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(line) ?? []
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10)
      else if (name !== '') response.setHeader(name, value)
    }
    return response.write(head.subarray(end + 4))
  })
  child.on('close', () => response.end())
}
