import { spawnSync } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { createUser, type Started, type TestUser } from '../support/client/test-user.ts'
import { program } from '../support/generator/strata.ts'
import { call } from '../support/stratad/call.ts'
import { commandLines } from '../support/stratad/command-lines.ts'
import { cleanUp, type Daemon, masterToken, startDaemon } from '../support/stratad/daemon.ts'
import { createRepository, plainApp, type Repository } from '../support/stratad/plain-app.ts'
import { testRuntime } from '../support/stratad/test-runtime.ts'

/** Starts a child of its own session. Both have the argument, by which this host finds them in containers, too. */
const family = `
const { spawn } = require('node:child_process')
const idle = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', process.argv[2] + '.child'], { stdio: 'ignore', detached: true })
console.log('started ' + idle.pid)
setInterval(() => {}, 1000)
`
const show = `
const { STRATA_BRANCH, PASSWORD, PORT } = process.env
console.log(JSON.stringify({ STRATA_BRANCH, PORT: PORT ?? null, cwd: process.cwd(), args: process.argv.slice(2) }))
console.error(PASSWORD)
require('node:fs').appendFileSync(process.env.STRATA_DATA + '/runs.txt', 'run\\n')
process.exitCode = 7
`

let daemon: Daemon
let user: TestUser
let repository: Repository
let environment: number

beforeAll(async () => {
  daemon = await startDaemon()
  user = createUser(join(daemon.dataDir, 'user'))
  repository = createRepository(join(daemon.dataDir, 'repositories/shop'), {
    ...plainApp,
    'show.js': show,
    'family.js': family,
  })
  const { body } = await call(daemon, 'POST', '/projects', { repo_dir: repository.folder })
  await call(daemon, 'POST', `/projects/${body.id}/secrets`, {
    ...{ name: 'PASSWORD', value: 'n0body-may-read', scope: 'project' },
  })
  const deployed = await call(daemon, 'POST', `/projects/${body.id}/deploy`, { branch: 'main' })
  environment = deployed.body.id
})
afterAll(async () => {
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

const login = () => ({
  STRATA_HOST: `http://127.0.0.1:${daemon.port}`,
  STRATA_TOKEN: masterToken,
})
const start = (...args: string[]) =>
  user.start(repository.folder, ['run', ...args], { env: login() })

/** Starts the family with a mark of its own, and waits until it runs. */
async function startFamily(): Promise<{ run: Started; mark: string }> {
  const mark = `family-${randomUUID()}`
  const run = start('node', 'family.js', mark)
  expect(await eventually(() => run.stdout().includes('\n'), 20_000)).toBe(true)
  expect(membersOf(mark)).toHaveLength(2)
  return { run, mark }
}

/** Returns the last arguments of the running programs of a family. */
function membersOf(mark: string): string[] {
  return commandLines()
    .filter((line) => line.includes(mark) && /^[^\0]*node\0(?:family\.js|-e)\0/.test(line))
    .map((line) => line.split('\0').at(-2) ?? '')
}

test('strata run prints the output of a command and exits with its code', async () => {
  const { code, stdout, stderr } = await start('node', 'show.js', '--json', '$HOME').ended()
  expect({ code, stderr }).toEqual({ code: 7, stderr: '[redacted]\n' })
  const shown = JSON.parse(stdout)
  expect(shown).toMatchObject({ STRATA_BRANCH: 'main', args: ['--json', '$HOME'] })
  // An image keeps the port of its app.
  expect(shown.PORT).toBe(testRuntime() === 'docker' ? '8080' : null)
  expect(shown.cwd).toMatch(testRuntime() === 'docker' ? /^\/app$/ : /\/releases\//)
  const audit = await call(daemon, 'GET', `/environments/${environment}/audit?limit=2`)
  expect(audit.body.map(({ detail }: { detail: string }) => detail)).toEqual([
    '`node show.js --json $HOME` ended with exit code 7',
    '`node show.js --json $HOME` was started',
  ])
})

test('strata run passes standard input on byte by byte, and finds an environment by branch or id', async () => {
  const bytes = randomBytes(3_000_000)
  const file = join(daemon.dataDir, 'input.bin')
  writeFileSync(file, bytes)
  const hash = `process.stdin.pipe(require('node:crypto').createHash('sha256').setEncoding('hex')).pipe(process.stdout)`
  for (const target of ['main', String(environment)]) {
    const { stdout, status } = spawnSync(
      'bash',
      [
        '-c',
        `"$0" "$@" < ${file}`,
        process.execPath,
        program,
        'run',
        '-e',
        target,
        'node',
        '-e',
        hash,
      ],
      {
        cwd: repository.folder,
        encoding: 'utf8',
        env: { ...process.env, ...user.env, ...login() },
      },
    )
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: createHash('sha256').update(bytes).digest('hex'),
    })
  }
  const echo = `process.stdin.pipe(process.stdout)`
  const copy = spawnSync(
    'bash',
    ['-c', `"$0" "$@" < ${file}`, process.execPath, program, 'run', 'node', '-e', echo],
    {
      cwd: repository.folder,
      maxBuffer: 10_000_000,
      env: { ...process.env, ...user.env, ...login() },
    },
  )
  expect(copy.stdout.equals(bytes)).toBe(true)
})

test('strata run names a missing program, and ends a command at its time limit', async () => {
  const missing = await start('no-such-program').ended()
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/no such program in the (release or on PATH|image)/),
  })
  const mark = `family-${randomUUID()}`
  const late = await start('--timeout', '1s', 'node', 'family.js', mark).ended()
  expect(late).toMatchObject({ code: 124, stderr: expect.stringContaining('its time limit') })
  expect(await eventually(() => membersOf(mark).length === 0, 15_000)).toBe(true)
})

test('Ctrl-C ends a command with everything that it started', async () => {
  const { run, mark } = await startFamily()
  run.process.kill('SIGINT')
  expect((await run.ended()).code).toBe(130)
  expect(await eventually(() => membersOf(mark).length === 0, 15_000)).toBe(true)
})

test('a lost connection ends a command', async () => {
  const { run, mark } = await startFamily()
  run.process.kill('SIGKILL')
  expect(await eventually(() => membersOf(mark).length === 0, 15_000)).toBe(true)
})

test('a kill of the daemon ends a command, and the next daemon ends what it started', async () => {
  const { run, mark } = await startFamily()
  // The user of a process ends with the daemon; a container goes on until the next one.
  const endsAtOnce = testRuntime() === 'process' && (await standsFor('users'))
  await daemon.stop('SIGKILL')
  expect((await run.ended()).code).toBe(1)
  if (endsAtOnce) expect(await eventually(() => !membersOf(mark).includes(mark), 15_000)).toBe(true)
  daemon = await daemon.restart()
  expect(await eventually(() => membersOf(mark).length === 0, 15_000)).toBe(true)
})

/** Returns whether a wall of the daemon stands. */
async function standsFor(wall: string): Promise<boolean> {
  const { body } = await call(daemon, 'GET', '/infra/status')
  return body.walls.some(
    ({ name, stands }: { name: string; stands: boolean }) => name === wall && stands,
  )
}

test('a page of another site cannot run a command', async () => {
  const response = await fetch(`${daemon.url}/environments/${environment}/run`, {
    method: 'POST',
    headers: { authorization: `Bearer ${masterToken}`, 'content-type': 'text/plain' },
    body: '{"command":["node","--version"]}',
  })
  expect(response.status).toBe(400)
  const json = await fetch(`${daemon.url}/environments/${environment}/run`, {
    method: 'POST',
    headers: { authorization: `Bearer ${masterToken}`, 'content-type': 'application/json' },
    body: '{"command":["node","--version"]}',
  })
  expect(stdoutOf(await json.text())).toBe(`${process.version}\n`)
})

/** Returns the standard output of a run. A process may write a line in several pieces. */
function stdoutOf(frames: string): string {
  const pieces = frames
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const own = pieces.filter(({ stream }) => stream === 'stdout')
  return Buffer.concat(own.map(({ data }) => Buffer.from(data, 'base64'))).toString()
}
