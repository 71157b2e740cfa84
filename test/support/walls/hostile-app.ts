/** Tools that every attack gets inside the hostile app. `tools.js` of the repository defines them. */
export interface Inside {
  readonly require: NodeJS.Require
  readonly process: NodeJS.Process
  /** Returns the error code of a failed action, or 'done' if the action succeeded. */
  attempt(action: () => unknown): Promise<string>
  /** Runs a program. `code` is null if the program does not exist, was killed or took over a minute. */
  run(
    program: string,
    args: readonly string[],
    input?: string,
  ): { readonly code: number | null; readonly output: string }
  /** Returns the bytes that a TCP port or the path of a unix socket sends within 300 ms, or the error code. */
  dial(target: { port: number; host: string } | { path: string }, send?: string): Promise<string>
  /** Sends an HTTP request. */
  fetchText(
    url: string,
    options?: { method?: string; headers?: Readonly<Record<string, string>>; body?: string },
  ): Promise<{ readonly status: number; readonly text: string }>
}

const tools = `
const { spawnSync } = require('node:child_process')
const http = require('node:http')
const net = require('node:net')

exports.attempt = async (action) => {
  try {
    await action()
    return 'done'
  } catch (error) {
    return error.code ?? String(error)
  }
}

exports.run = (program, args, input = '') => {
  const options = { input, encoding: 'utf8', timeout: 60_000, maxBuffer: 2 ** 26 }
  const { status, stdout, stderr } = spawnSync(program, args, options)
  return { code: status, output: (stdout ?? '') + (stderr ?? '') }
}

exports.dial = (target, send = '') =>
  new Promise((resolve) => {
    let text = ''
    const socket = net.connect(target)
    const end = (result) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(result)
    }
    const timer = setTimeout(() => end('connected ' + text), 300)
    socket.on('connect', () => socket.write(send))
    socket.on('data', (chunk) => (text += chunk))
    socket.on('end', () => end('connected ' + text))
    socket.on('error', (error) => end(error.code ?? String(error)))
  })

exports.fetchText = (url, { method = 'GET', headers = {}, body } = {}) =>
  new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
    request.setTimeout(10_000, () => request.destroy(new Error('timeout')))
    request.on('error', reject)
    request.end(body)
  })
`

const server = `
const http = require('node:http')
const tools = require('./tools.js')
const inside = { ...tools, require, process }
process.on('SIGTERM', () => process.exit(0))
http.createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  if (request.url !== '/attack') return response.end('hostile ' + process.pid)
  try {
    const { source, input } = JSON.parse(text)
    const value = await eval('(' + source + ')')(inside, input)
    response.end(JSON.stringify({ value }))
  } catch (error) {
    response.end(JSON.stringify({ error: String(error && error.stack || error) }))
  }
}).listen(process.env.PORT, '127.0.0.1')
`

/** An app that runs every function that POST /attack sends. */
export const hostileApp: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'hostile', scripts: { start: 'node server.js' } }),
  'server.js': server,
  'tools.js': tools,
}

/** Function that runs inside the hostile app: it sees its two arguments and the globals of Node, no imports. */
export type Attack<Input, Result> = (inside: Inside, input: Input) => Result | Promise<Result>

/** Returns a script that runs `attack` and writes its result as JSON to `file`: for builds and install scripts. */
export function scriptOf<Input, Result>(
  attack: Attack<Input, Result>,
  input: Input,
  file: string,
): string {
  return `
const inside = { ...require('./tools.js'), require, process }
const source = ${attack.toString()}
Promise.resolve(source(inside, ${JSON.stringify(input)})).then(
  (value) => require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify({ value })),
  (error) => require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify({ error: String(error) })),
)`
}
