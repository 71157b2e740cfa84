import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { createUser, type TestUser } from '../support/client/test-user.ts'
import { program } from '../support/generator/strata.ts'
import { call } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, masterToken, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'

const hasScript = spawnSync('script', ['--version']).status === 0

let daemon: Daemon
let user: TestUser
let shop: Project
const running: { stop(): void }[] = []

beforeEach(async () => {
  daemon = await startDaemon()
  user = createUser(join(daemon.dataDir, 'home'))
  shop = await createProject(daemon)
})
afterEach(async () => {
  for (const each of running.splice(0)) each.stop()
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

/** Starts `strata` in the folder of the project, with or without a terminal. */
function start(args: readonly string[], { terminal = false } = {}) {
  const argv = [process.execPath, program, ...args]
  const [command = '', ...rest] = terminal
    ? ['script', '-q', '-e', '-c', argv.map((word) => `'${word}'`).join(' '), '/dev/null']
    : argv
  const child = spawn(command, rest, {
    cwd: shop.repository.folder,
    env: {
      ...process.env,
      ...user.env,
      NO_COLOR: '1',
      STRATA_HOST: `http://127.0.0.1:${daemon.port}`,
      STRATA_TOKEN: masterToken,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  running.push({ stop: () => child.kill('SIGKILL') })
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    shows: (text: string | RegExp) =>
      eventually(
        () => (typeof text === 'string' ? stdout.includes(text) : text.test(stdout)),
        20_000,
      ),
    async interrupt(): Promise<number | null> {
      if (terminal) child.stdin.write('\u0003')
      else child.kill('SIGINT')
      if (child.exitCode === null) await once(child, 'exit')
      return child.exitCode
    },
  }
}

test('status --watch prints a line for each change, outlives a restart of the daemon, and exits with 130', async () => {
  const watched = start(['status', '--watch'])
  expect(await watched.shows('no deploys yet: strata up\n')).toBe(true)
  await deploy(daemon, shop)
  const { id } = await rowOf(daemon, shop)
  expect(await watched.shows(new RegExp(`Z {2}environment ${id} {2}shop {2}main .* running`))).toBe(
    true,
  )
  await daemon.stop('SIGKILL')
  daemon = await daemon.restart()
  expect((await call(daemon, 'POST', `/environments/${id}/pause`)).status).toBe(204)
  expect(await watched.shows(new RegExp(`environment ${id} {2}shop {2}main .* paused`))).toBe(true)
  expect(watched.stderr()).toContain('reconnecting')
  expect(await watched.interrupt()).toBe(130)
})

test('status --watch --json prints each state as one line of JSON', async () => {
  const watched = start(['status', '--watch', '--json'])
  expect(await watched.shows('\n')).toBe(true)
  await deploy(daemon, shop)
  expect(await watched.shows('"running"')).toBe(true)
  const values = watched
    .stdout()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(values[0]).toMatchObject({ projects: [{ name: 'shop' }], environments: [], queue: [] })
  expect(await watched.interrupt()).toBe(130)
})

test('ps --watch prints changes of live environments', async () => {
  await deploy(daemon, shop)
  const watched = start(['ps', '--watch'])
  expect(await watched.shows('running')).toBe(true)
  const { id } = await rowOf(daemon, shop)
  await call(daemon, 'DELETE', `/environments/${id}`)
  expect(await watched.shows(`environment ${id}  shop  main`)).toBe(true)
  expect(watched.stdout()).toMatch(/destroyed\n$/)
  expect(await watched.interrupt()).toBe(130)
})

test.skipIf(!hasScript)(
  `status --watch redraws its table on a terminal${hasScript ? '' : ', skipped: the program script is missing'}`,
  async () => {
    await deploy(daemon, shop)
    const watched = start(['status', '--watch'], { terminal: true })
    expect(await watched.shows('running')).toBe(true)
    const { id } = await rowOf(daemon, shop)
    await call(daemon, 'POST', `/environments/${id}/pause`)
    expect(await watched.shows('paused')).toBe(true)
    // Moves up by the four lines of the previous table and clears it.
    expect(watched.stdout()).toContain('\u001b[4A')
    expect(await watched.interrupt()).toBe(130)
  },
)
