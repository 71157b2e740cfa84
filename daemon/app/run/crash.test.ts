import { afterEach, beforeEach, expect, test } from 'vitest'
import { settled } from '../../../test/support/daemon/app/fake-clock.ts'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'

let rig: Rig
beforeEach(async () => {
  rig = await createRig()
})
afterEach(async () => {
  await rig.close()
})

async function running() {
  rig.commit('main')
  return rig.deployed('main')
}

test('a crashed app is restarted after a second, and its environment records the reason', async () => {
  const { id, hostname } = await running()
  rig.runtime.crash(id, 3)
  await settled()
  expect(rig.gateway.routes.get(hostname)?.port).toBe(null)
  expect(await rig.row(id)).toMatchObject({
    state: 'running',
    hostPort: null,
    reason: 'the app exited with code 3; the app is started again in 1 s',
  })
  const asked = rig.gateway.ask(id)
  await rig.clock.advance(999)
  expect(rig.runtime.started).toHaveLength(1)
  await rig.clock.advance(1)
  await rig.until(async () => (await rig.row(id)).hostPort !== null)
  const { hostPort, reason } = await rig.row(id)
  expect(reason).toBe('the app exited with code 3; the app was started again')
  expect(await asked).toMatchObject({ port: hostPort })
  expect(rig.gateway.routes.get(hostname)).toMatchObject({ port: hostPort })
})

test('repeated crashes double the restart delay up to a minute, and a stable run resets it', async () => {
  const { id } = await running()
  const announced = async () => Number(/in (\d+) s/.exec((await rig.row(id)).reason ?? '')?.[1])
  const crash = async () => {
    rig.runtime.crash(id)
    await rig.until(async () => (await rig.row(id)).hostPort === null)
    return announced()
  }
  const seen: number[] = []
  for (let count = 0; count < 8; count += 1) {
    const seconds = await crash()
    seen.push(seconds)
    await rig.clock.advance(seconds * 1000)
    await rig.until(async () => (await rig.row(id)).hostPort !== null)
  }
  expect(seen).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  await rig.clock.advance(60_000)
  expect(await crash()).toBe(1)
})

test('an app that fails to restart is retried with the new reason', async () => {
  const { id } = await running()
  rig.runtime.unhealthy.set(id, 'it answered 500')
  rig.runtime.crash(id)
  for (const [seconds, why] of [
    [1, 'the app exited with code 1'],
    [2, 'it answered 500'],
    [4, 'it answered 500'],
  ] as const) {
    const reason = `${why}; the app is started again in ${seconds} s`
    await rig.until(async () => (await rig.row(id)).reason === reason)
    await rig.clock.advance(seconds * 1000)
  }
})

test('a pause, a destroy or a deploy cancels a pending restart', async () => {
  const first = await running()
  rig.runtime.crash(first.id)
  await settled()
  await rig.app.useCases.environments.pause(first.id, operator)
  await rig.clock.advance(120_000)
  expect(rig.runtime.started).toHaveLength(1)
  await rig.app.useCases.environments.wake(first.id, operator)
  rig.runtime.crash(first.id)
  await settled()
  const second = await rig.deployed('main')
  await rig.clock.advance(120_000)
  expect(rig.runtime.started.map(({ environmentId }) => environmentId)).toEqual([
    first.id,
    first.id,
    second.id,
  ])
  rig.runtime.crash(second.id)
  await settled()
  await rig.app.useCases.environments.destroy(second.id, { purgeSecrets: false }, operator)
  await rig.clock.advance(120_000)
  expect(rig.runtime.started).toHaveLength(3)
  expect(rig.errors).toEqual([])
})

test('an app that exits during the route switch of its deploy is restarted', async () => {
  rig.commit('main')
  rig.failpoints.shut('deploy:switched')
  const deploy = rig.deploy('main')
  await rig.failpoints.reached('deploy:switched')
  const [row] = await rig.store.environments.list(rig.project.id)
  rig.runtime.crash(row?.id ?? 0)
  rig.failpoints.open('deploy:switched')
  const outcome = await deploy
  await settled()
  const { hostname } = outcome.kind === 'running' ? outcome.environment : { hostname: '' }
  expect(rig.gateway.routes.get(hostname)).toMatchObject({ port: null })
  await rig.clock.advance(1000)
  await rig.until(() => rig.runtime.started.length === 2)
  await rig.until(async () => (await rig.row(row?.id ?? 0)).hostPort !== null)
  const live = await rig.row(row?.id ?? 0)
  expect(rig.gateway.routes.get(live.hostname)).toMatchObject({ port: live.hostPort })
  expect(live.hostPort).not.toBe(null)
})

test('a crash that the gateway notices before the exit event is restarted with back-off', async () => {
  const { id } = await running()
  rig.runtime.running.clear()
  const asked = rig.gateway.ask(id)
  await rig.until(async () => (await rig.row(id)).hostPort === null)
  expect(rig.runtime.started).toHaveLength(1)
  await rig.clock.advance(1000)
  expect(await asked).toMatchObject({ port: rig.runtime.running.get(`strata-${id}`)?.port })
})

test('a request that waits for a crashed app longer than its budget fails', async () => {
  const { id } = await running()
  rig.runtime.unhealthy.set(id, 'it answered 500')
  rig.runtime.crash(id)
  await rig.until(async () => (await rig.row(id)).hostPort === null)
  const asked = rig.gateway.ask(id).catch((error) => error)
  await settled()
  await rig.clock.advance(31_000)
  expect(await asked).toMatchObject({ kind: 'unavailable' })
})
