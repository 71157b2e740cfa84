import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'

/** Answers requests, and writes 1 MiB to standard output as often as it can. */
const flood = {
  'package.json': JSON.stringify({ name: 'flood', scripts: { start: 'node server.js' } }),
  'server.js': `const fs = require('node:fs')
const block = ('x'.repeat(99) + '\\n').repeat(10_000)
require('node:http')
  .createServer((request, response) => response.end('here'))
  .listen(process.env.PORT, () => {
    const write = () => { fs.writeSync(1, block); setImmediate(write) }
    write()
  })`,
}

describe('three apps that flood their logs', () => {
  let daemon: Daemon
  let quiet: Project
  let loud: Project
  const branches = ['main', 'two', 'three']

  beforeAll(async () => {
    daemon = await startDaemon()
    quiet = await createProject(daemon, 'quiet')
    expect((await deploy(daemon, quiet)).status).toBe(201)
    loud = await createProject(daemon, 'loud', flood)
    for (const branch of branches) {
      if (branch !== 'main') loud.repository.git('branch', branch)
      expect((await deploy(daemon, loud, branch)).status).toBe(201)
    }
  })
  afterAll(async () => {
    await daemon.stop('SIGKILL')
    cleanUp(daemon.dataDir)
  })

  test('neither delay the lines of another app nor fill the disk at any moment', async () => {
    const { id } = await rowOf(daemon, quiet)
    let peak = 0
    const sampler = setInterval(() => {
      peak = Math.max(peak, bytesBelow(join(daemon.dataDir, 'logs')))
    }, 20)
    try {
      const until = Date.now() + 6_000
      for (let round = 0; Date.now() < until; round += 1) {
        const startedAt = Date.now()
        expect((await visit(daemon, quiet.host(), `/round-${round}`)).status).toBe(200)
        const path = `/environments/${id}/logs?lines=5`
        const isThere = async () =>
          (await call(daemon, 'GET', path)).body.logs.includes(`/round-${round}`)
        expect(await eventually(isThere, 10_000)).toBe(true)
        expect(Date.now() - startedAt).toBeLessThan(5_000)
      }
    } finally {
      clearInterval(sampler)
    }
    expect(peak).toBeLessThan(300 * 2 ** 20)
  })

  test('answer requests, and have their newest output in their logs', async () => {
    for (const branch of branches) {
      expect((await visit(daemon, loud.host(branch))).text).toBe('here')
      const { id } = await rowOf(daemon, loud, branch)
      const { body } = await call(daemon, 'GET', `/environments/${id}/logs?lines=200`)
      expect(body.logs).toContain('x'.repeat(99))
    }
  })

  test('continue if their daemon is killed while it holds them', async () => {
    const { id } = await rowOf(daemon, loud)
    const pid = () => leaderOf(id)
    const isStopped = () => /\) T /.test(readFileSync(`/proc/${pid()}/stat`, 'latin1'))
    expect(await eventually(isStopped, 20_000)).toBe(true)
    await daemon.stop('SIGKILL')
    daemon = await daemon.restart()
    expect((await visit(daemon, loud.host())).text).toBe('here')
    const { body } = await call(daemon, 'GET', `/environments/${id}`)
    expect(body).toMatchObject({ state: 'running', reason: null })
  })

  test('can be paused', async () => {
    for (const branch of branches) {
      const { id } = await rowOf(daemon, loud, branch)
      expect((await call(daemon, 'POST', `/environments/${id}/pause`)).status).toBe(204)
    }
  })

  function leaderOf(id: number): number {
    const path = join(daemon.dataDir, `runtime/instances/strata-${id}.json`)
    return JSON.parse(readFileSync(path, 'utf8')).process.pid
  }
})

/** Returns the allocated size: logs are sparse files. */
function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => (statSync(join(folder, name), { throwIfNoEntry: false })?.blocks ?? 0) * 512)
    .reduce((sum, bytes) => sum + bytes, 0)
}
