import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../test/support/apps/eventually.ts'
import {
  isRunning,
  processesIn,
  programs,
  temporaryPlace,
} from '../../../test/support/daemon/runtime/apps.ts'
import { startKillableDaemon } from '../../../test/support/daemon/runtime/daemon.ts'
import { tempStore } from '../../../test/support/daemon/store/temp-store.ts'
import type { Walls } from '../../ports.ts'
import { createWalls } from '../../walls/walls.ts'
import type { InstanceFile } from './instance-file.ts'
import { readBootId, readStat } from './proc.ts'

let place: ReturnType<typeof temporaryPlace>
const unrelatedProcesses: ChildProcess[] = []
beforeEach(() => {
  place = temporaryPlace()
})
afterEach(async () => {
  for (const child of unrelatedProcesses.splice(0)) child.kill('SIGKILL')
  await place.remove()
})

const never = new AbortController().signal
const health = { path: null, timeoutMs: 20_000 }
const seconds = 20_000
const nonce = 'ab'.repeat(16)

/** Starts a process that is not an app of any runtime. */
async function spawnUnrelated(env: Record<string, string> = {}, detached = true): Promise<number> {
  const child = spawn(process.execPath, ['-e', programs.idle], {
    env: { ...process.env, ...env },
    detached,
    stdio: 'ignore',
  })
  unrelatedProcesses.push(child)
  await once(child, 'spawn')
  return child.pid ?? 0
}

function writeInstance(changes: Partial<InstanceFile>): void {
  const file: InstanceFile = {
    name: 'strata-1',
    environmentId: 1,
    nonce,
    bootId: readBootId(),
    port: 24_000,
    startedAt: Date.now(),
    since: readStat(process.pid)?.startTime ?? 0,
    process: null,
    ...changes,
  }
  mkdirSync(place.instances, { recursive: true })
  writeFileSync(join(place.instances, `${file.name}.json`), JSON.stringify(file))
}

describe('after kill -9 of the daemon', () => {
  test('the next daemon adopts a running app without a gap in its output', async () => {
    const source = `${programs.server}\nlet n = 0; setInterval(() => console.log('tick ' + n++), 5)`
    const spec = place.app(1, source)
    const daemon = startKillableDaemon(place.folder, [spec])
    const [instance] = await daemon.started()
    if (!instance) throw new Error('nothing was started')
    await daemon.kill()
    expect(isRunning(instance.pid)).toBe(true)

    const { runtime, logs, exits } = place.open()
    expect([...(await runtime.list()).values()]).toEqual([instance])
    expect(await runtime.start(spec)).toEqual(instance)
    await runtime.awaitHealthy(instance, health, never)
    const last = async () => (await logs.tail(1, 1))[0]?.line ?? ''
    const now = await last()
    expect(await eventually(async () => (await last()) !== now, seconds)).toBe(true)
    await runtime.stop('strata-1', 10_000)
    expect(isRunning(instance.pid)).toBe(false)
    expect(exits).toEqual([])

    const lines = (await logs.tail(1, 100_000)).map(({ line }) => line)
    const ticks = lines.filter((line) => line.startsWith('tick'))
    expect(ticks.length).toBeGreaterThan(1)
    expect(ticks).toEqual(ticks.map((_, at) => `tick ${at}`))
  })

  test('the next daemon reports the exit of an adopted app and kills its child processes', async () => {
    const daemon = startKillableDaemon(place.folder, [place.app(1, programs.family)])
    const [instance] = await daemon.started()
    await daemon.kill()
    const { runtime, logs, exits } = place.open()
    await runtime.list()
    expect(await eventually(async () => (await logs.tail(1, 1)).length > 0, seconds)).toBe(true)
    const pids = JSON.parse((await logs.tail(1, 1))[0]?.line ?? '[]') as number[]
    expect(pids.map(isRunning)).toEqual([true, true, true])
    process.kill(instance?.pid ?? 0, 'SIGKILL')
    expect(await eventually(() => exits.length === 1, seconds)).toBe(true)
    expect(exits).toEqual([{ name: 'strata-1', environmentId: 1, code: null, signal: null }])
    expect(pids.map(isRunning)).toEqual([false, false, false])
    expect(readdirSync(place.instances)).toEqual([])
  })

  test('the next daemon kills an adopted app that ignores SIGTERM, on a stop', async () => {
    const daemon = startKillableDaemon(place.folder, [place.app(1, programs.stubborn)])
    const [instance] = await daemon.started()
    await daemon.kill()
    const { runtime, logs } = place.open()
    await runtime.list()
    expect(await eventually(async () => (await logs.tail(1, 1)).length > 0, seconds)).toBe(true)
    await runtime.stop('strata-1', 100)
    expect(isRunning(instance?.pid ?? 0)).toBe(false)
  })

  test('the next daemon kills the child processes of an app that exited meanwhile, and reads its output', async () => {
    const daemon = startKillableDaemon(place.folder, [place.app(1, programs.family)])
    const [instance] = await daemon.started()
    await daemon.kill()
    const raw = join(place.folder, 'logs/1/raw/stdout')
    const { logs } = place.open()
    expect(
      await eventually(
        async () => readFileSync(raw, 'utf8') !== '' || (await logs.tail(1, 1)).length > 0,
        seconds,
      ),
    ).toBe(true)
    process.kill(instance?.pid ?? 0, 'SIGKILL')
    expect(await eventually(() => !isRunning(instance?.pid ?? 0), seconds)).toBe(true)
    const { runtime, exits } = place.open()
    expect(await runtime.list()).toEqual(new Map())
    expect(processesIn(place.folder)).toEqual([])
    expect(readdirSync(place.instances)).toEqual([])
    expect(exits).toEqual([])
    expect(await logs.tail(1, 5)).toHaveLength(1)
  })
})

describe('an app start interrupted by the end of the daemon', () => {
  test('leaves no files or processes if the process was not yet spawned', async () => {
    writeInstance({})
    const { runtime } = place.open()
    expect(await runtime.list()).toEqual(new Map())
    expect(readdirSync(place.instances)).toEqual([])
  })

  test('is completed by the next daemon, which finds the spawned process by its mark', async () => {
    const pid = await spawnUnrelated({ STRATA_INSTANCE: `strata-1.${nonce}` })
    writeInstance({})
    const { runtime } = place.open()
    expect((await runtime.list()).get('strata-1')).toMatchObject({ pid, port: 24_000 })
    const file = JSON.parse(readFileSync(join(place.instances, 'strata-1.json'), 'utf8'))
    expect(file).toMatchObject({ process: { pid, startTime: readStat(pid)?.startTime } })
    await runtime.stop('strata-1', 1000)
    expect(await eventually(() => !isRunning(pid), seconds)).toBe(true)
  })

  test('leaves no child processes of an exited leader', async () => {
    const pid = await spawnUnrelated({ STRATA_INSTANCE: `strata-1.${nonce}` }, false)
    writeInstance({})
    const { runtime } = place.open()
    expect(await runtime.list()).toEqual(new Map())
    expect(isRunning(pid)).toBe(false)
  })
})

const isRoot = process.platform === 'linux' && process.geteuid?.() === 0

describe.skipIf(!isRoot)('an app in a control group', () => {
  async function openWalls(): Promise<Walls> {
    const store = await tempStore()
    const uidRange = { from: 70_000, to: 99_999 }
    return createWalls({ dataDir: place.folder, store, uidRange })
  }

  test('that a dying daemon left stopped on the way into its group is killed by the next daemon', async () => {
    const walls = await openWalls()
    const cell = await walls.cell(1)
    const { folder } = place.app(1, programs.idle)
    await cell.own(folder)
    const child = await cell.spawn('node', ['app.cjs'], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', STRATA_INSTANCE: `strata-1.${nonce}` },
      stdio: 'ignore',
      group: 'strata-1',
      limits: { memoryMb: 128, cpus: null, pids: 100 },
    })
    child.kill('SIGSTOP')
    const isStopped = () => readStat(child.pid ?? 0)?.state === 'T'
    expect(await eventually(isStopped, seconds)).toBe(true)
    writeInstance({})
    const { runtime } = place.open({ walls })
    expect(await runtime.list()).toEqual(new Map())
    expect(isRunning(child.pid ?? 0)).toBe(false)
    expect(walls.groups()).toEqual([])
    expect(readdirSync(place.instances)).toEqual([])
    walls.close()
  })

  test('reports the memory limit if the kernel ended it for that', async () => {
    const walls = await openWalls()
    const { runtime, exits } = place.open({ walls })
    const spec = place.app(1, 'const all = []; for (;;) all.push(Buffer.alloc(1e6, 1))', {
      launch: { memoryMb: 96 },
    })
    await (await walls.cell(1)).own(spec.folder)
    const instance = await runtime.start(spec)
    await expect(runtime.awaitHealthy(instance, health, never)).rejects.toThrow(
      /ran out of memory before it answered: limit 96 MB/,
    )
    expect(await eventually(() => exits.length === 1, seconds)).toBe(true)
    expect(exits[0]).toMatchObject({ signal: 'SIGKILL', outOfMemoryMb: 96 })
    walls.close()
  })
})

describe('a process that reuses the pid of an app', () => {
  test('is not adopted and not killed if its start time differs', async () => {
    const pid = await spawnUnrelated()
    const startTime = (readStat(pid)?.startTime ?? 0) - 1
    writeInstance({ process: { pid, startTime }, since: startTime })
    const { runtime } = place.open()
    expect(await runtime.list()).toEqual(new Map())
    await runtime.stop('strata-1', 0)
    const instance = await runtime.start(place.app(1, programs.idle))
    expect(instance.pid).not.toBe(pid)
    expect(isRunning(pid)).toBe(true)
  })

  test('is not adopted and not killed if the boot id differs', async () => {
    const pid = await spawnUnrelated()
    const startTime = readStat(pid)?.startTime ?? 0
    writeInstance({ process: { pid, startTime }, bootId: 'another-boot' })
    const { runtime } = place.open()
    expect(await runtime.list()).toEqual(new Map())
    expect(readdirSync(place.instances)).toEqual([])
    expect(isRunning(pid)).toBe(true)
  })

  test('is neither adopted nor killed if its mark is from another daemon', async () => {
    const pid = await spawnUnrelated({ STRATA_INSTANCE: `strata-1.${'cd'.repeat(16)}` })
    writeInstance({})
    const { runtime } = place.open()
    expect(await runtime.list()).toEqual(new Map())
    expect(isRunning(pid)).toBe(true)
  })
})

test('adopting apps removes invalid instance files', async () => {
  mkdirSync(place.instances, { recursive: true })
  for (const [name, text] of [
    ['strata-1.json', ''],
    ['strata-2.json', '{"name":"strata-2"}'],
    ['strata-3.json.tmp', '{}'],
  ] as const) {
    writeFileSync(join(place.instances, name), text)
  }
  const { runtime } = place.open()
  expect(await runtime.list()).toEqual(new Map())
  expect(readdirSync(place.instances)).toEqual([])
})
