import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** A test app in its own process. */
export interface RunningApp {
  readonly port: number
  readonly pid: number
  readonly process: ChildProcess
  kill(signal?: NodeJS.Signals): Promise<void>
}

/** Default handler: responds with the request as JSON. */
const mirror = `
  if (request.url === '/crash') process.exit(3)
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ pid: process.pid, name, method: request.method, url: request.url, headers: request.headers, raw: request.rawHeaders, trailers: request.trailers, body: Buffer.concat(chunks).toString() }))
  })
`

/**
 * Starts a Node server. `handler` is the body of `(request, response) => {…}`; `setUp` may use `server`. Both may call
 * `say(text)`, for which the test waits with `awaitOutput(text)`, and use `name`.
 */
export async function startApp(
  options: { name?: string; handler?: string; setUp?: string; port?: number } = {},
): Promise<RunningApp & { awaitOutput(text: string): Promise<void> }> {
  const { name = 'app', handler = mirror, setUp = '', port = 0 } = options
  const program = `
    const http = require('node:http')
    const name = ${JSON.stringify(name)}
    const say = (text) => process.stdout.write('said ' + text + '\\n')
    const server = http.createServer((request, response) => { ${handler} })
    ${setUp}
    server.listen(${port}, '127.0.0.1', () => say('port ' + server.address().port))
  `
  const child = spawn(process.execPath, ['-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  child.on('exit', () => running.delete(child))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk
  })
  const awaitOutput = async (text: string) => {
    while (!output.includes(`said ${text}`)) {
      if (child.exitCode !== null) throw new Error(`the app ended with ${child.exitCode}`)
      await once(child.stdout, 'data')
    }
  }
  await awaitOutput('port ')
  return {
    port: Number(/said port (\d+)/.exec(output)?.[1]),
    pid: child.pid ?? 0,
    process: child,
    awaitOutput,
    async kill(signal = 'SIGKILL') {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}

const running = new Set<ChildProcess>()

/** Kills all apps that are still running. */
export function endApps(): void {
  for (const child of running) child.kill('SIGKILL')
}
