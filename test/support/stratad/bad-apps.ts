import { randomUUID } from 'node:crypto'
import { plainApp } from './plain-app.ts'

type Files = Readonly<Record<string, string>>

const pid = 'response.end(JSON.stringify({ pid: process.pid }))'

/** A part of the command lines of the four processes that `badApps.forks` starts. */
export const forkMark = `fork-${randomUUID()}`

/** Variants of `plainApp` with one fault each. */
export const badApps = {
  notListening: app('setInterval(() => {}, 1000)', { health_timeout: '1s' }),
  /** The health path always answers 500. */
  unhealthy: app(server('response.statusCode = 500; response.end("no database")'), {
    health: '/health',
    health_timeout: '1s',
  }),
  /** Exits with code 5, one second after its first response. */
  crashing: app(
    server(
      'response.end("well"); response.on("close", () => setTimeout(() => process.exit(5), 1000))',
    ),
    {},
  ),
  ignoresSigterm: app(`process.on('SIGTERM', () => console.log('no'))\n${server(pid)}`, {}),
  /** Writes at full speed, including lines without line endings. */
  floodsLog: app(
    `const line = 'x'.repeat(1000)
function write() {
  for (let at = 0; at < 100; at += 1) process.stdout.write(line + (at % 10 ? '\\n' : line))
  setTimeout(write, 1)
}
write()
${server(pid)}`,
    {},
  ),
  /** Starts one child in its group and one outside, each with a child of its own. */
  forks: app(
    `const { spawn } = require('node:child_process')
const idle = 'setInterval(() => {}, 1000, "${forkMark}")'
const parent = "require('node:child_process').spawn(process.execPath, ['-e', '" + idle + "'], { stdio: 'ignore' });" + idle
for (const detached of [false, true]) {
  spawn(process.execPath, ['-e', parent], { stdio: 'ignore', detached }).unref()
}
${server(pid)}`,
    {},
  ),
} as const

function server(answer: string): string {
  return `require('node:http').createServer((request, response) => { ${answer} }).listen(process.env.PORT, process.env.HOST ?? '127.0.0.1')`
}

function app(source: string, deploy: Readonly<Record<string, unknown>>): Files {
  return { ...plainApp, 'server.js': source, 'strata.json': JSON.stringify({ deploy }) }
}
