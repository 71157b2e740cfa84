import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, newPlace, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'

/** Adds the milliseconds in a file to the wall clock of the daemon, and leaves its monotonic clock alone. */
const preload = `
const { readFileSync } = require('node:fs')
const now = Date.now
Date.now = () => {
  try { return now() + Number(readFileSync(process.env.CLOCK_FILE, 'utf8')) } catch { return now() }
}
`
const eightDays = String(8 * 86_400_000)

describe('stratad with previews that expire after 7 days', () => {
  let daemon: Daemon
  let shop: Project
  const stateOf = async () => (await rowOf(daemon, shop, 'preview')).state
  const setClock = (ms: string) => writeFileSync(join(daemon.dataDir, 'clock'), ms)
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  beforeAll(async () => {
    const place = await newPlace()
    writeFileSync(join(place.dataDir, 'preload.cjs'), preload)
    daemon = await startDaemon({
      place,
      env: {
        SERVICE_GC_INTERVAL: '1s',
        SERVICE_SWEEP_GRACE: '1s',
        CLOCK_FILE: join(place.dataDir, 'clock'),
        NODE_OPTIONS: `--require=${join(place.dataDir, 'preload.cjs')}`,
      },
    })
    shop = await createProject(daemon)
    shop.repository.git('branch', 'preview')
    await deploy(daemon, shop, 'preview')
  })
  afterAll(async () => {
    await daemon.stop()
    cleanUp(daemon.dataDir)
  })

  test('destroys nothing after its clock jumped 8 days ahead', async () => {
    await pause(2_500)
    setClock(eightDays)
    await pause(4_000)
    expect(await stateOf()).not.toBe('destroyed')
    expect(daemon.output()).toContain('the clock of this machine jumped')
  })

  test('destroys nothing within the grace period of a start after 8 days', async () => {
    await daemon.stop()
    daemon = await daemon.restart({ SERVICE_SWEEP_GRACE: '10m' })
    await pause(4_000)
    expect(await stateOf()).not.toBe('destroyed')
    expect(daemon.output()).toContain('the daemon has just started')
  })

  test('destroys an expired preview after the grace period', async () => {
    await daemon.stop()
    daemon = await daemon.restart({ SERVICE_SWEEP_GRACE: '1s' })
    expect(await eventually(async () => (await stateOf()) === 'destroyed', 20_000)).toBe(true)
    expect((await call(daemon, 'GET', '/projects')).status).toBe(200)
  })
})
