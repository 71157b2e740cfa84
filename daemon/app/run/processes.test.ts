import { afterEach, beforeEach, expect, test } from 'vitest'
import { settled } from '../../../test/support/daemon/app/fake-clock.ts'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import { processesOf } from '../../domain/process-states.ts'

let rig: Rig
beforeEach(async () => {
  rig = await createRig()
  const processes = ['worker', 'mailer'].map((name) => ({ name, start: ['node', `${name}.js`] }))
  rig.builder.launch = { ...rig.builder.launch, processes }
})
afterEach(async () => {
  await rig.close()
})

async function deployed() {
  rig.commit('main')
  const row = await rig.deployed('main')
  await rig.until(() => running().length >= 3)
  return row
}

const running = () => [...rig.runtime.running.keys()].sort()
const stateOf = async (id: number, name: string) =>
  processesOf(await rig.row(id)).find((each) => each.name === name)

test('a deploy starts each process with the release, the limits and the variables of the web process', async () => {
  const { id } = await deployed()
  expect(running()).toEqual([`strata-${id}`, `strata-${id}-mailer`, `strata-${id}-worker`])
  const [web, ...others] = rig.runtime.started
  const worker = others.find(({ process }) => process === 'worker')
  expect(worker).toMatchObject({
    folder: web?.folder,
    volume: web?.volume,
    env: web?.env,
    launch: { start: ['node', 'worker.js'], memoryMb: web?.launch.memoryMb },
  })
  expect((await rig.row(id)).memoryMb).toBe(3 * (web?.launch.memoryMb ?? 0))
  expect(processesOf(await rig.row(id)).map(({ name, state }) => `${name} ${state}`)).toEqual([
    'web running',
    'worker running',
    'mailer running',
  ])
})

test('a redeploy stops the old processes before it starts the new ones', async () => {
  const first = await deployed()
  rig.runtime.gates.shut(`stop:${first.id}-worker`)
  rig.commit('main')
  const deploy = rig.deploy('main')
  await rig.runtime.gates.reached(`stop:${first.id}-worker`)
  expect(rig.runtime.started.filter(({ process }) => process === 'worker')).toHaveLength(1)
  rig.runtime.gates.open(`stop:${first.id}-worker`)
  await deploy
  await rig.until(() => rig.runtime.started.length === 6)
  await rig.until(() => running().every((name) => !name.startsWith(`strata-${first.id}`)))
  expect(running()).toHaveLength(3)
})

test('a redeploy of a sleeping environment removes what the runtime retains of its processes', async () => {
  const first = await deployed()
  await rig.app.useCases.environments.pause(first.id, operator)
  await rig.until(() => running().length === 0)
  rig.runtime.removed.length = 0
  await deployed()
  await rig.until(() => rig.runtime.removed.includes(`strata-${first.id}`))
  expect(rig.runtime.removed).toEqual(
    expect.arrayContaining(['', '-worker', '-mailer'].map((name) => `strata-${first.id}${name}`)),
  )
})

test('a failed deploy leaves the old processes alone', async () => {
  const { id } = await deployed()
  rig.runtime.unhealthy.set(0, 'it answered 500')
  rig.commit('main')
  expect((await rig.deploy('main')).kind).toBe('failed')
  expect(running()).toEqual([`strata-${id}`, `strata-${id}-mailer`, `strata-${id}-worker`])
})

test('a crashed process is restarted with back-off and its reason, and the web process runs on', async () => {
  const { id } = await deployed()
  for (const seconds of [1, 2, 4]) {
    rig.runtime.crash(id, 3, 'worker')
    const reason = `worker exited with code 3; it is started again in ${seconds} s`
    await rig.until(async () => (await stateOf(id, 'worker'))?.reason === reason)
    expect(await stateOf(id, 'worker')).toMatchObject({ state: 'restarting' })
    expect(await stateOf(id, 'web')).toMatchObject({ state: 'running' })
    await rig.clock.advance(seconds * 1000)
    await rig.until(() => running().length === 3)
    await rig.until(async () => (await stateOf(id, 'worker'))?.state === 'running')
  }
  expect(rig.runtime.started.filter(({ process }) => process === undefined)).toHaveLength(1)
})

test('processes sleep and wake with their environment, and end with it', async () => {
  const { id } = await deployed()
  rig.runtime.crash(id, 1, 'mailer')
  await settled()
  await rig.app.useCases.environments.pause(id, operator)
  expect(running()).toEqual([])
  await rig.clock.advance(120_000)
  expect(running()).toEqual([])
  expect(await stateOf(id, 'mailer')).toEqual({ name: 'mailer', state: 'stopped', reason: null })
  await rig.app.useCases.environments.wake(id, operator)
  await rig.until(() => running().length === 3)
  await rig.app.useCases.environments.destroy(id, { purgeSecrets: false }, operator)
  await rig.clock.advance(120_000)
  expect(running()).toEqual([])
})

test('the next daemon adopts running processes, starts missing ones and removes strays', async () => {
  const { id } = await deployed()
  rig.runtime.running.delete(`strata-${id}-mailer`)
  const started = rig.runtime.started.length
  await rig.restart()
  await rig.until(() => running().length === 3)
  expect(rig.runtime.started.slice(started).map(({ process }) => process)).toEqual(['mailer'])
  rig.runtime.crash(id, 1, 'worker')
  await rig.until(async () => (await stateOf(id, 'worker'))?.state === 'restarting')
  await rig.store.environments.update(id, { state: 'paused', hostPort: null }, { at: 1 })
  await rig.clock.advance(31_000)
  await rig.until(() => running().length === 0)
})

test('the log of an unknown process is not found, and the message lists the known ones', async () => {
  const { id } = await deployed()
  await expect(rig.app.useCases.environments.logs(id, 10, 'wroker')).rejects.toThrow(
    `environment ${id} has no process wroker: known are web, worker, mailer`,
  )
  expect(await rig.app.useCases.environments.logOf(id, 'worker')).toBe(`${id}.worker`)
})
