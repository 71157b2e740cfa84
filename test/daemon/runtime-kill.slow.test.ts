import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hasMark } from '../../daemon/runtime/process/proc.ts'
import { eventually } from '../support/apps/eventually.ts'
import { processesIn, programs, temporaryPlace } from '../support/daemon/runtime/apps.ts'
import { startKillableDaemon } from '../support/daemon/runtime/daemon.ts'

let place: ReturnType<typeof temporaryPlace>
beforeEach(() => {
  place = temporaryPlace()
})
afterEach(() => place.remove())

const rounds = 25

test('a daemon killed at random moments of app starts leaves no process unknown to its successor', async () => {
  let adopted = 0
  for (let round = 0; round < rounds; round += 1) {
    const apps = Array.from({ length: 8 }, (_, at) => place.app(at + 1, programs.idle))
    const daemon = startKillableDaemon(place.folder, apps)
    expect(await daemon.readLine()).toBe('ready')
    // A fixed delay per round varies the moment of the kill.
    await pause(round * 6)
    await daemon.kill()
    // Wait for children that were forked but had not yet executed the app. In production the successor starts later.
    expect(await eventually(() => !processesIn('').some(isForked), 20_000)).toBe(true)
    const { runtime } = place.open()
    const known = [...(await runtime.list()).values()]
    adopted += known.length
    expect(processesIn(place.folder).toSorted()).toEqual(known.map(({ pid }) => pid).toSorted())
    expect(known.every(({ name, pid }) => hasAppMark(pid, name))).toBe(true)
    expect(instanceFiles().length).toBe(known.length)
    await Promise.all(known.map(({ name }) => runtime.stop(name, 0)))
    runtime.close()
    expect(processesIn(place.folder)).toEqual([])
    rmSync(place.instances, { recursive: true, force: true })
  }
  expect(adopted).toBeGreaterThan(0)
})

/** Returns true for a child that still has the daemon's command line (forked, not yet executed). */
function isForked(pid: number): boolean {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
    return command.includes('daemon-program') && command.includes(place.folder)
  } catch {
    return false
  }
}

/** Returns no files before the first start, which creates the folder. */
function instanceFiles(): string[] {
  return existsSync(place.instances) ? readdirSync(place.instances) : []
}

/** Returns true if the process has the app's mark: its name and the nonce of its instance file. */
function hasAppMark(pid: number, name: string): boolean {
  const file = place.readInstance(name)
  return hasMark(pid, `STRATA_INSTANCE=${name}.${file.nonce}`)
}

test('a daemon killed repeatedly while an app writes neither loses nor duplicates a line', async () => {
  const source = `
let n = 0
setInterval(() => { for (let i = 0; i < 7; i += 1) console.log('line ' + n++) }, 3)
setInterval(() => process.stderr.write('err '), 50)
process.on('SIGTERM', () => { console.log('bye'); process.exit(0) })
`
  const spec = place.app(1, source)
  for (let round = 0; round < 12; round += 1) {
    const daemon = startKillableDaemon(place.folder, [spec])
    await daemon.started()
    await pause(round * 13)
    await daemon.kill()
  }
  const { runtime, logs } = place.open()
  await runtime.list()
  await runtime.stop('strata-1', 10_000)
  const lines = await logs.tail(1, 1_000_000)
  const written = lines.filter(({ stream }) => stream === 'stdout').map(({ line }) => line)
  expect(written.length).toBeGreaterThan(1000)
  expect(written.at(-1)).toBe('bye')
  expect(written.slice(0, -1)).toEqual(
    Array.from({ length: written.length - 1 }, (_, at) => `line ${at}`),
  )
  const errors = lines.filter(({ stream }) => stream === 'stderr').map(({ line }) => line)
  expect(errors.join('')).toMatch(/^(err )+$/)
  const ids = lines.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(ids.toSorted((one, other) => one - other))
  expect(await eventually(() => processesIn(place.folder).length === 0, 20_000)).toBe(true)
})
