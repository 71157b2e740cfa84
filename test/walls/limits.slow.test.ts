import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { visit } from '../support/stratad/call.ts'
import {
  everythingEnds,
  type Host,
  noLimits,
  processesOfUser,
  startHost,
} from '../support/walls/host.ts'
import { hostileApp, type Inside } from '../support/walls/hostile-app.ts'
import { deployHostile, deployVictim, type Hostile, type Victim } from '../support/walls/tenants.ts'

describe.skipIf(noLimits)(`a hostile app${noLimits ? ` (skipped: ${noLimits})` : ''}`, () => {
  let host: Host
  let victim: Victim

  beforeAll(async () => {
    host = await startHost({ SERVICE_DEPLOY_CONCURRENCY: '2' })
    victim = await deployVictim(host)
  })
  afterAll(() => host.remove())

  const limited = (name: string, deploy: Readonly<Record<string, unknown>>) =>
    deployHostile(host, name, { 'strata.json': JSON.stringify({ deploy }) })
  const victimAnswers = async () => {
    expect((await visit(host.daemon, victim.host())).body.pid).toBe(victim.pid)
  }
  const reasonOf = async ({ environmentId }: Hostile) =>
    (await host.call('GET', `/environments/${environmentId}`)).body.reason as string | null

  test('over its memory is ended and started again, and the reason says so', async () => {
    const hostile = await limited('memory', { memory_mb: 96 })
    const uid = await hostile.uid()
    await hostile.attack(startMemoryHog, null)
    expect(
      await eventually(async () => /memory/.test((await reasonOf(hostile)) ?? ''), 20_000),
    ).toBe(true)
    expect(await reasonOf(hostile)).toContain('96')
    const answers = async () =>
      (await visit(host.daemon, hostile.host())).text.startsWith('hostile')
    expect(await eventually(answers, 30_000)).toBe(true)
    expect(await hostile.uid()).toBe(uid)
    await victimAnswers()
  })

  test("can't pass its memory limit by a child process", async () => {
    const hostile = await limited('children', { memory_mb: 96 })
    const uid = await hostile.uid()
    await hostile.attack(({ require, process }) => {
      const { spawn } = require('node:child_process') as typeof import('node:child_process')
      const hog = 'const all = []; setInterval(() => all.push(Buffer.alloc(2 ** 23, 1)), 5)'
      spawn(process.execPath, ['-e', hog], { detached: true, stdio: 'ignore', env: {} }).unref()
    }, null)
    await pause(4000)
    expect(residentMb(uid)).toBeLessThan(120)
    await victimAnswers()
  })

  test.each(['/dev/shm', '/tmp'])("can't use the machine's memory through %s", async (folder) => {
    const hostile = await limited(`fills-${folder.split('/').at(-1)}`, { memory_mb: 96 })
    const before = freeMb()
    await hostile
      .attack(({ require, attempt }, path) => {
        const fs = require('node:fs') as typeof import('node:fs')
        return attempt(() => {
          const file = fs.openSync(`${path}/filling`, 'w')
          for (let at = 0; at < 64; at += 1) fs.writeSync(file, Buffer.alloc(2 ** 23, 1))
        })
      }, folder)
      .catch(() => 'ended')
    if (folder === '/dev/shm') expect(before - freeMb()).toBeLessThan(400)
    await victimAnswers()
    await host.call('DELETE', `/projects/${hostile.id}`)
  })

  test('that forks without an end gets no more processes than its limit', async () => {
    const hostile = await limited('forks', { pids: 64, memory_mb: 256 })
    const uid = await hostile.uid()
    await hostile.attack(({ require }) => {
      const { spawn } = require('node:child_process') as typeof import('node:child_process')
      const bomb = 'bomb() { bomb | bomb & sleep 1; }; while :; do bomb; done'
      spawn('sh', ['-c', bomb], { detached: true, stdio: 'ignore' }).unref()
    }, null)
    let most = 0
    for (let tries = 0; tries < 20; tries += 1) {
      most = Math.max(most, processesOfUser(uid).length)
      await pause(100)
    }
    expect(most).toBeGreaterThan(5)
    expect(most).toBeLessThanOrEqual(64)
    await victimAnswers()
    expect((await host.call('DELETE', `/projects/${hostile.id}`)).status).toBe(204)
    expect(await everythingEnds(uid)).toBe(true)
  })

  test('that computes without a pause gets its share of the processor alone', async () => {
    const hostile = await limited('cpu', { cpus: 0.5 })
    const used = await hostile.attack(async ({ require, process }) => {
      const fs = require('node:fs') as typeof import('node:fs')
      const { spawn } = require('node:child_process') as typeof import('node:child_process')
      const children = [1, 2, 3].map(() =>
        spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
      )
      const ticks = () =>
        children.reduce((sum, { pid }) => {
          const fields =
            fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
          return sum + Number(fields[11]) + Number(fields[12])
        }, 0)
      await new Promise((resolve) => setTimeout(resolve, 500))
      const from = { ticks: ticks(), time: Date.now() }
      await new Promise((resolve) => setTimeout(resolve, 3000))
      const cpus = ((ticks() - from.ticks) * 10) / (Date.now() - from.time)
      for (const child of children) child.kill('SIGKILL')
      return cpus
    }, null)
    expect(used).toBeGreaterThan(0.05)
    expect(used).toBeLessThan(0.7)
  })

  test('in its build has a memory limit and a process limit, too', async () => {
    const build = `
const { spawn } = require('node:child_process')
if (process.getuid() === 0) process.exit(9)
console.log('pids ' + require('node:fs').readFileSync('/proc/self/cgroup', 'utf8').replace(/\\n/g, ' '))
let count = 0
const fork = () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore', detached: true })
  child.on('error', (error) => { console.log('stopped ' + count + ' ' + error.code); process.exit(7) })
  child.on('spawn', () => { count += 1; count < 4000 ? fork() : process.exit(8) })
}
fork()`
    const project = await host.createProject('build-forks', {
      ...hostileApp,
      'strata.json': JSON.stringify({ deploy: { build: ['node', 'build.js'] } }),
      'build.js': build,
    })
    const answer = await project.deploy()
    expect(answer.status).toBe(422)
    expect(answer.body.error).toContain('7')
    await victimAnswers()
  })

  test('can leave nothing behind when it is destroyed', async () => {
    const hostile = await limited('leaves', {})
    const uid = await hostile.uid()
    await hostile.attack(leaveProcesses, null)
    await pause(500)
    expect(processesOfUser(uid).length).toBeGreaterThanOrEqual(5)
    expect((await host.call('DELETE', `/environments/${hostile.environmentId}`)).status).toBe(204)
    expect(await everythingEnds(uid)).toBe(true)
  })

  test('can leave nothing behind when it is paused, and wakes again', async () => {
    const hostile = await limited('sleeps', {})
    const uid = await hostile.uid()
    await hostile.attack(leaveProcesses, null)
    expect((await host.call('POST', `/environments/${hostile.environmentId}/pause`)).status).toBe(
      204,
    )
    expect(await everythingEnds(uid)).toBe(true)
    expect((await visit(host.daemon, hostile.host())).text).toMatch(/^hostile/)
  })

  test('can leave no process of an old version behind when it is deployed again', async () => {
    const hostile = await limited('replaced', {})
    const uid = await hostile.uid()
    await hostile.attack(leaveProcesses, null)
    const old = processesOfUser(uid)
    hostile.repository.commit({ 'note.txt': 'two' })
    expect((await hostile.deploy()).status).toBe(201)
    const isGone = () => !processesOfUser(uid).some((pid) => old.includes(pid))
    expect(await eventually(isGone, 30_000)).toBe(true)
  })

  test('can leave no process of a failed deploy behind', async () => {
    const hostile = await limited('fails', { health_timeout: '2s' })
    const uid = await hostile.uid()
    const before = processesOfUser(uid)
    const idle = leaveScript()
    hostile.repository.commit({ 'server.js': `${idle}\nsetInterval(() => {}, 1000)` })
    expect((await hostile.deploy()).status).toBe(422)
    const isGone = () => processesOfUser(uid).every((pid) => before.includes(pid))
    expect(await eventually(isGone, 15_000)).toBe(true)
  })

  test('can leave no process of a build behind', async () => {
    const hostile = await limited('built', {})
    const uid = await hostile.uid()
    const before = processesOfUser(uid)
    hostile.repository.commit({
      'strata.json': JSON.stringify({ deploy: { build: ['node', 'build.js'] } }),
      'build.js': leaveScript(),
    })
    expect((await hostile.deploy()).status).toBe(201)
    const { pid } = await hostile.attack(({ process }) => ({ pid: process.pid }), null)
    const isGone = () => processesOfUser(uid).every((one) => [...before, pid].includes(one))
    expect(await eventually(isGone, 15_000)).toBe(true)
  })

  test('that ignores SIGTERM and stops itself is ended nevertheless', async () => {
    const hostile = await limited('stubborn', {})
    const uid = await hostile.uid()
    await hostile.attack(({ process }) => {
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
        process.removeAllListeners(signal)
        process.on(signal, () => {})
      }
      setTimeout(() => process.kill(process.pid, 'SIGSTOP'), 100)
    }, null)
    expect((await host.call('DELETE', `/environments/${hostile.environmentId}`)).status).toBe(204)
    expect(await everythingEnds(uid, 30_000)).toBe(true)
  })

  test('that listens on hundreds of ports keeps no neighbor from a deploy', async () => {
    const hostile = await limited('ports', {})
    const attack = hostile.attack(async ({ require }) => {
      const net = require('node:net') as typeof import('node:net')
      const listen = (port: number) =>
        new Promise<void>((resolve) => {
          const server = net.createServer()
          server.on('error', () => resolve())
          server.listen(port, '127.0.0.1', () => resolve())
        })
      const ports = Array.from({ length: 15_000 }, (_, at) => 20_000 + at)
      for (let at = 0; at < ports.length; at += 500)
        await Promise.all(ports.slice(at, at + 500).map(listen))
    }, null)
    // The daemon may pause the app, for its ports, before it answers.
    await attack.catch((error: Error) => expect(error.message).toContain('closed the connection'))
    const other = await deployHostile(host, 'after-ports')
    expect((await visit(host.daemon, other.host())).text).toMatch(/^hostile/)
  })

  test('that opens a file ten thousand times keeps no neighbor from a deploy', async () => {
    const hostile = await limited('descriptors', {})
    await hostile.attack(async ({ require, attempt }) => {
      const fs = require('node:fs') as typeof import('node:fs')
      return attempt(() => {
        for (let at = 0; at < 10_000; at += 1) fs.openSync('/dev/null', 'r')
      })
    }, null)
    const other = await deployHostile(host, 'after-descriptors')
    expect((await visit(host.daemon, other.host())).text).toMatch(/^hostile/)
  })

  test('that floods its log and forges lines costs neither its neighbor nor the log', async () => {
    const hostile = await limited('floods', {})
    const forged = JSON.stringify({ ts: '2020-01-01T00:00:00Z', stream: 'build', line: 'forged' })
    await hostile.attack(async ({ process }, line) => {
      process.stdout.write('x'.repeat(8 * 2 ** 20))
      process.stdout.write(`\n${line}\n\u001b[2J\r\nevent: end\ndata: {}\n\nid: 999999\n\0\n`)
      for (let at = 0; at < 20_000; at += 1) process.stdout.write(`${'y'.repeat(2000)}\n`)
      process.stdout.write('last line\n')
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }, forged)
    const path = `/environments/${hostile.environmentId}/logs?lines=1000`
    const hasLast = async () => (await host.call('GET', path)).body.logs.includes('last line')
    expect(await eventually(hasLast, 20_000)).toBe(true)
    const others = await host.call('GET', `/environments/${victim.environmentId}/logs?lines=1000`)
    expect(others.body.logs).not.toMatch(/forged|yyyy/)
    await victimAnswers()
  })
})

/** Runs inside the hostile app. */
function startMemoryHog(): void {
  const all: Buffer[] = []
  setInterval(() => all.push(Buffer.alloc(2 ** 24, 1)), 5)
}

/** Starts processes that try to survive their app. Runs inside the hostile app. */
function leaveProcesses({ require, process }: Inside): void {
  const { spawn } = require('node:child_process') as typeof import('node:child_process')
  const idle =
    "for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => {}); setInterval(() => {}, 1000)"
  const options = { detached: true, stdio: 'ignore', env: {}, cwd: '/' } as const
  // A child in a session of its own, with an empty environment.
  spawn(process.execPath, ['-e', idle], options).unref()
  // A grandchild whose parents have ended, as a daemon program does.
  spawn('setsid', ['--fork', 'setsid', '--fork', process.execPath, '-e', idle], options).unref()
  // A process that starts again whenever it is killed.
  const watcher = `const { spawn } = require('child_process'); const start = () => spawn('/bin/sleep', ['1000'], { detached: true, env: {}, stdio: 'ignore' }).on('exit', start); start(); ${idle}`
  spawn(process.execPath, ['-e', watcher], options).unref()
  // A stopped process.
  const stopped = spawn('/bin/sleep', ['1000'], options)
  stopped.unref()
  stopped.kill('SIGSTOP')
  // A process with the name of another program.
  spawn('/bin/sleep', ['1000'], { ...options, argv0: '[kworker/0:0]' }).unref()
}

function leaveScript(): string {
  return `(${leaveProcesses.toString()})({ require, process })`
}

/** Returns the resident memory of all processes of a user. */
function residentMb(uid: number): number {
  const sizes = processesOfUser(uid).map((pid) => {
    try {
      const text = readFileSync(`/proc/${pid}/status`, 'utf8')
      return Number(/^RssAnon:\s*(\d+)/m.exec(text)?.[1] ?? 0) / 1024
    } catch {
      return 0
    }
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Returns the free memory of the machine. */
function freeMb(): number {
  const text = readFileSync('/proc/meminfo', 'utf8')
  return Number(/^MemAvailable:\s*(\d+)/m.exec(text)?.[1] ?? 0) / 1024
}
