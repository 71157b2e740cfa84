import { afterEach, beforeEach, expect, test } from 'vitest'
import { settled } from '../../../test/support/daemon/app/fake-clock.ts'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import type { LaunchSchedule } from '../../domain/records.ts'

/** The clock of the rig begins at midnight of 2026-01-01, UTC. */
const minuteMs = 60_000

let rig: Rig
beforeEach(async () => {
  rig = await createRig()
})
afterEach(async () => {
  await rig.close()
})

const nightly: LaunchSchedule = {
  name: 'nightly',
  schedule: '*/10 * * * *',
  timezone: 'UTC',
  start: ['node', 'nightly.js'],
  timeoutMs: 30 * minuteMs,
}

async function deployed(changes: Partial<LaunchSchedule> = {}, branch = 'main') {
  rig.builder.launch = { ...rig.builder.launch, schedules: [{ ...nightly, ...changes }] }
  rig.commit(branch)
  const row = await rig.deployed(branch)
  await settled()
  return row
}

async function runs(branch = 'main') {
  const found = await rig.store.scheduleRuns.list({ projectId: rig.project.id, branch })
  return found.toReversed().map(({ dueAt, outcome, exitCode, detail }) => ({
    at: new Date(dueAt).toISOString().slice(11, 16),
    outcome,
    exitCode,
    detail,
  }))
}

const jobs = () => rig.runtime.started.filter(({ process }) => process === 'cron_nightly')

test('a schedule runs its command with the release, the variables and the limits of the app', async () => {
  const { id } = await deployed()
  await rig.clock.advance(10 * minuteMs)
  await rig.until(() => jobs().length === 1)
  const [web] = rig.runtime.started
  expect(jobs()[0]).toMatchObject({
    name: `strata-${id}-cron_nightly`,
    folder: web?.folder,
    volume: web?.volume,
    launch: { start: ['node', 'nightly.js'], memoryMb: web?.launch.memoryMb },
  })
  rig.runtime.crash(id, 0, 'cron_nightly')
  await rig.until(async () => (await runs())[0]?.outcome === 'succeeded')
  await rig.clock.advance(10 * minuteMs)
  await rig.until(() => jobs().length === 2)
  rig.runtime.crash(id, 3, 'cron_nightly')
  await rig.until(async () => (await runs())[1]?.outcome === 'failed')
  expect(await runs()).toEqual([
    { at: '00:10', outcome: 'succeeded', exitCode: 0, detail: null },
    { at: '00:20', outcome: 'failed', exitCode: 3, detail: 'it exited with code 3' },
  ])
  expect(rig.logs.lines.get(`${id}.cron_nightly`)?.map(({ line }) => line)).toEqual([
    'strata: the run of 2026-01-01T00:20:00Z: it exited with code 3',
  ])
})

test('a schedule runs beside a sleeping app, which sleeps on', async () => {
  const { id } = await deployed()
  await rig.app.useCases.environments.pause(id, operator)
  await rig.clock.advance(10 * minuteMs)
  await rig.until(() => jobs().length === 1)
  expect((await rig.row(id)).state).toBe('paused')
  expect([...rig.runtime.running.keys()]).toEqual([`strata-${id}-cron_nightly`])
})

test('a due run is skipped and told while the previous one has not ended', async () => {
  const { id } = await deployed()
  await rig.clock.advance(21 * minuteMs)
  await rig.until(async () => (await runs()).length === 2)
  expect(jobs()).toHaveLength(1)
  expect((await runs())[1]).toMatchObject({
    at: '00:20',
    outcome: 'skipped',
    detail: 'the run of 2026-01-01T00:10:00Z has not ended',
  })
  rig.runtime.crash(id, 0, 'cron_nightly')
  await rig.clock.advance(10 * minuteMs)
  await rig.until(() => jobs().length === 2)
})

test('a run is ended at its time limit', async () => {
  const { id } = await deployed({ timeoutMs: 5 * minuteMs })
  await rig.clock.advance(10 * minuteMs)
  await rig.until(() => rig.runtime.running.has(`strata-${id}-cron_nightly`))
  await rig.clock.advance(6 * minuteMs)
  await rig.until(async () => (await runs())[0]?.outcome === 'timed_out')
  expect(rig.runtime.stopped).toContain(`strata-${id}-cron_nightly`)
  expect((await runs())[0]?.detail).toBe('it was ended at its time limit of 300 s')
})

test('runs that were due while no daemon ran are missed and told once', async () => {
  await deployed()
  await rig.clock.advance(10 * minuteMs)
  await rig.until(() => jobs().length === 1)
  await rig.app.stop()
  rig.clock.jump(48 * minuteMs)
  await rig.restart()
  await rig.until(async () => (await runs()).length === 2)
  expect((await runs())[1]).toMatchObject({
    at: '00:50',
    outcome: 'missed',
    detail: '4 runs were missed since 2026-01-01T00:20:00Z: the daemon did not run, or was busy',
  })
})

test('the next daemon continues a run that goes on, and starts no second one for its time', async () => {
  const { id } = await deployed()
  await rig.clock.advance(10 * minuteMs)
  await rig.until(() => jobs().length === 1)
  await rig.restart()
  await rig.clock.advance(minuteMs)
  expect(jobs()).toHaveLength(1)
  expect(await runs()).toMatchObject([{ at: '00:10', outcome: 'running' }])
  rig.runtime.crash(id, 0, 'cron_nightly')
  await rig.until(async () => (await runs())[0]?.outcome === 'succeeded')
})

test('a run that ended while no daemon ran is not repeated, and its exit code is unknown', async () => {
  const { id } = await deployed()
  await rig.clock.advance(10 * minuteMs)
  await rig.until(() => jobs().length === 1)
  rig.runtime.running.delete(`strata-${id}-cron_nightly`)
  await rig.restart()
  await rig.until(async () => (await runs())[0]?.outcome === 'unknown')
  await rig.clock.advance(minuteMs)
  expect(jobs()).toHaveLength(1)
})

test('a daemon that dies between the record and the start of a run does not run it again', async () => {
  const { id } = await deployed()
  rig.runtime.gates.shut(`start:${id}-cron_nightly`)
  await rig.clock.advance(10 * minuteMs)
  await rig.runtime.gates.reached(`start:${id}-cron_nightly`)
  expect(await runs()).toMatchObject([{ outcome: 'running' }])
  await rig.restart()
  await rig.until(async () => (await runs())[0]?.outcome === 'unknown')
  await rig.clock.advance(minuteMs)
  expect(await runs()).toHaveLength(1)
})

test('schedules of previews run only if they ask for it, and end with their branch', async () => {
  await deployed()
  const preview = await deployed({}, 'topic')
  const own = await deployed({ hasPreviews: true }, 'other')
  await rig.clock.advance(10 * minuteMs)
  await rig.until(() => jobs().length === 2)
  expect(jobs().map(({ environmentId }) => environmentId)).not.toContain(preview.id)
  await rig.app.useCases.environments.destroy(own.id, { purgeSecrets: false }, operator)
  expect(rig.runtime.running.has(`strata-${own.id}-cron_nightly`)).toBe(false)
  expect(await runs('other')).toMatchObject([{ outcome: 'failed' }])
})

test('a run without free memory is missed and told', async () => {
  await deployed()
  rig.runtime.memoryMb = 300
  await rig.clock.advance(10 * minuteMs)
  await rig.until(async () => (await runs()).length === 1)
  expect(await runs()).toMatchObject([
    { outcome: 'missed', detail: 'no memory: the run may use 256 MiB' },
  ])
})

test('the list shows the next run and the last runs, and keeps a bounded number', async () => {
  const { id } = await deployed({ schedule: '30 7 * * *', timezone: 'Europe/Berlin' })
  const [listed] = await rig.app.useCases.schedules.list(id)
  expect(listed).toMatchObject({ nextAt: Date.UTC(2026, 0, 1, 6, 30), runs: [] })
  for (let count = 0; count < 25; count += 1) {
    await rig.store.scheduleRuns.create({
      ...{ projectId: rig.project.id, branch: 'main', name: 'nightly', environmentId: id },
      ...{ dueAt: count, startedAt: null, endedAt: null },
      ...{ outcome: 'missed', exitCode: null, detail: null },
    })
  }
  expect(await runs()).toHaveLength(20)
  expect((await rig.app.useCases.schedules.list(id))[0]?.runs).toHaveLength(10)
  await expect(rig.app.useCases.schedules.list(9000)).rejects.toMatchObject({ kind: 'not-found' })
})
