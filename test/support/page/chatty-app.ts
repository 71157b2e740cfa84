import { visit } from '../stratad/call.ts'
import type { Daemon } from '../stratad/daemon.ts'
import type { Project } from '../stratad/project.ts'

/**
 * An app whose build and start write lines, and which writes what a request tells it to: `POST /say` takes
 * `{ lines, stream }`, and `GET /flood/<count>` writes that many numbered lines.
 */
export const chattyApp: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    name: 'chatty',
    scripts: { build: 'node build.js', start: 'node server.js' },
  }),
  'build.js': `
for (let step = 1; step <= 40; step += 1) console.log('build step ' + step + ' of 40')
console.log('\\u001b[32mbuild finished\\u001b[0m')
`,
  'server.js': `
const http = require('node:http')
const server = http.createServer((request, response) => {
  const flood = /^\\/flood\\/(\\d+)$/.exec(request.url)
  if (flood) {
    let text = ''
    for (let line = 1; line <= Number(flood[1]); line += 1) text += 'flood line ' + line + '\\n'
    process.stdout.write(text, () => response.end('written'))
    return
  }
  let body = ''
  request.setEncoding('utf8').on('data', (chunk) => { body += chunk }).on('end', () => {
    if (body !== '') {
      const { lines, stream } = JSON.parse(body)
      process[stream].write(lines.map((line) => line + '\\n').join(''))
    }
    response.end('{}')
  })
})
server.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'))
process.on('SIGTERM', () => { server.close(() => process.exit(0)); server.closeIdleConnections() })
`,
}

/** Makes the app of a branch write lines. */
export async function say(
  daemon: Daemon,
  project: Project,
  lines: readonly string[],
  stream: 'stdout' | 'stderr' = 'stdout',
): Promise<void> {
  await visit(daemon, project.host(), '/say', { body: { lines, stream } })
}
