import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settled } from '../../../test/support/daemon/app/fake-clock.ts'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import { DaemonError } from '../../errors.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

let rig: Rig
beforeEach(async () => {
  rig = await createRig()
})
afterEach(async () => {
  await rig.close()
})

async function sleeping() {
  rig.commit('main')
  const environment = await rig.deployed('main')
  await rig.app.useCases.environments.pause(environment.id, operator)
  return environment
}

describe('a pause', () => {
  test('stops the process, keeps the host name and holds requests', async () => {
    const { id, hostname } = await sleeping()
    expect(await rig.row(id)).toMatchObject({ state: 'paused', hostPort: null })
    expect(rig.runtime.running.size).toBe(0)
    expect(rig.gateway.routes.get(hostname)).toMatchObject({ environmentId: id, port: null })
    expect(await rig.auditKinds(id)).toEqual(['build_succeeded', 'paused'])
  })

  test('waits for open requests', async () => {
    rig.commit('main')
    const { id, hostname } = await rig.deployed('main')
    rig.gateway.gates.shut('drained')
    const pause = rig.app.useCases.environments.pause(id, operator)
    await rig.gateway.gates.reached('drained')
    expect(rig.gateway.routes.get(hostname)?.port).toBe(null)
    expect(rig.runtime.running.size).toBe(1)
    rig.gateway.gates.open('drained')
    await pause
    expect(rig.runtime.running.size).toBe(0)
  })

  test('of an environment that is not running is a conflict', async () => {
    const { id } = await sleeping()
    const { environments } = rig.app.useCases
    await expect(environments.pause(id, operator)).rejects.toMatchObject({ kind: 'conflict' })
    await environments.destroy(id, { purgeSecrets: false }, operator)
    await expect(environments.pause(id, operator)).rejects.toMatchObject({ kind: 'conflict' })
    await expect(environments.wake(id, operator)).rejects.toMatchObject({ kind: 'conflict' })
    await expect(environments.pause(99, operator)).rejects.toMatchObject({ kind: 'not-found' })
  })

  test('that fails leaves the environment serving', async () => {
    rig.commit('main')
    const { id, hostname, hostPort } = await rig.deployed('main')
    rig.gateway.gates.shut('drained')
    const pause = rig.app.useCases.environments.pause(id, operator)
    pause.catch(() => undefined)
    await rig.gateway.gates.reached('drained')
    rig.gateway.gates.open('drained', new Error('the gateway is away'))
    await expect(pause).rejects.toThrow('the gateway is away')
    expect(rig.gateway.routes.get(hostname)).toMatchObject({ port: hostPort })
    expect((await rig.row(id)).state).toBe('running')
  })
})

describe('a wake', () => {
  test('starts the app once for concurrent requests, from its release without its repository', async () => {
    const { id, hostname } = await sleeping()
    const { fetches } = rig.git
    rig.runtime.gates.shut(`healthy:${id}`)
    const asked = Array.from({ length: 100 }, () => rig.gateway.ask(id))
    const woken = rig.app.useCases.environments.wake(id, operator)
    await rig.runtime.gates.reached(`healthy:${id}`)
    expect((await rig.row(id)).state).toBe('paused')
    rig.runtime.gates.open(`healthy:${id}`)
    const routes = await Promise.all(asked)
    await woken
    const { hostPort } = await rig.row(id)
    expect(new Set(routes.map(({ port }) => port))).toEqual(new Set([hostPort]))
    expect(rig.runtime.started).toHaveLength(2)
    expect(rig.git.fetches).toBe(fetches)
    expect(rig.gateway.routes.get(hostname)).toMatchObject({ port: hostPort })
    expect(await rig.auditKinds(id)).toEqual(['build_succeeded', 'paused', 'woken'])
  })

  test('of a running environment is a no-op', async () => {
    rig.commit('main')
    const { id } = await rig.deployed('main')
    await rig.app.useCases.environments.wake(id, operator)
    expect(rig.runtime.started).toHaveLength(1)
    expect(await rig.auditKinds(id)).toEqual(['build_succeeded'])
  })

  test('during a pause waits for the pause and then starts the app', async () => {
    rig.commit('main')
    const { id } = await rig.deployed('main')
    rig.runtime.gates.shut(`stop:${id}`)
    const pause = rig.app.useCases.environments.pause(id, operator)
    await rig.runtime.gates.reached(`stop:${id}`)
    const asked = rig.gateway.ask(id)
    await settled()
    expect(rig.runtime.started).toHaveLength(1)
    rig.runtime.gates.open(`stop:${id}`)
    await pause
    expect((await asked).port).not.toBe(null)
    expect((await rig.row(id)).state).toBe('running')
  })

  test('that fails keeps the environment paused with the reason, and later visitors get the error during the back-off', async () => {
    const { id } = await sleeping()
    rig.runtime.unhealthy.set(id, 'it answered 500')
    await expect(rig.gateway.ask(id)).rejects.toMatchObject({ message: 'it answered 500' })
    expect(await rig.row(id)).toMatchObject({
      state: 'paused',
      reason: 'the app did not wake: it answered 500',
    })
    expect(rig.runtime.running.size).toBe(0)
    rig.runtime.unhealthy.clear()
    await expect(rig.gateway.ask(id)).rejects.toMatchObject({ message: 'it answered 500' })
    await rig.clock.advance(1000)
    expect((await rig.gateway.ask(id)).port).not.toBe(null)
    expect(await rig.row(id)).toMatchObject({ state: 'running', reason: null })
  })

  test('that fails is attempted once for all concurrent requests', async () => {
    const { id } = await sleeping()
    rig.runtime.unhealthy.set(id, 'it answered 500')
    const asked = Array.from({ length: 10 }, () => rig.gateway.ask(id).catch((error) => error))
    expect(new Set((await Promise.all(asked)).map(({ message }) => message)).size).toBe(1)
    expect(rig.runtime.started).toHaveLength(2)
  })

  test('without free memory fails with advice', async () => {
    rig.runtime.memoryMb = 300
    const { id } = await sleeping()
    rig.commit('other')
    await rig.deployed('other')
    const { environments } = rig.app.useCases
    const error = await environments.wake(id, operator).catch((thrown) => thrown)
    expect(error).toMatchObject({ kind: 'unavailable' })
    expect(error.message).toContain('needs 256 MiB')
  })

  test('is canceled by a destroy and leaves no process', async () => {
    const { id, hostname } = await sleeping()
    rig.runtime.gates.shut(`healthy:${id}`)
    const asked = rig.gateway.ask(id)
    asked.catch(() => undefined)
    await rig.runtime.gates.reached(`healthy:${id}`)
    await rig.app.useCases.environments.destroy(id, { purgeSecrets: false }, operator)
    await expect(asked).rejects.toMatchObject({ kind: 'conflict' })
    expect(rig.runtime.running.size).toBe(0)
    expect(rig.gateway.routes.has(hostname)).toBe(false)
    expect((await rig.row(id)).state).toBe('destroyed')
  })

  test('of a version that a deploy replaces returns the route of the new version', async () => {
    const { id, hostname } = await sleeping()
    rig.commit('main')
    rig.runtime.gates.shut(`healthy:${id}`)
    const asked = rig.gateway.ask(id)
    await rig.runtime.gates.reached(`healthy:${id}`)
    const next = await rig.deployed('main')
    expect(await asked).toMatchObject({ environmentId: next.id, port: next.hostPort })
    expect([...rig.runtime.running.keys()]).toEqual([`strata-${next.id}`])
    expect(rig.gateway.routes.get(hostname)).toMatchObject({ environmentId: next.id })
  })
})

describe('a sweep', () => {
  test('pauses, hibernates and finally destroys an idle environment', async () => {
    rig.commit('main')
    rig.commit('preview')
    const { id, hostname } = await rig.deployed('preview')
    await rig.clock.advance(29 * minuteMs)
    expect((await rig.row(id)).state).toBe('running')
    await rig.clock.advance(2 * minuteMs)
    expect((await rig.row(id)).state).toBe('paused')
    await rig.clock.advance(90 * minuteMs)
    expect((await rig.row(id)).state).toBe('hibernating')
    expect(await rig.auditKinds(id)).toEqual(['build_succeeded', 'idle_timeout', 'deep_sleep'])
    const { projects } = rig.app.useCases
    await projects.update(rig.project.id, { destroyAfter: '3h' }, operator)
    await rig.clock.advance(60 * minuteMs)
    expect((await rig.row(id)).state).toBe('destroyed')
    expect((await rig.auditKinds(id)).at(-1)).toBe('ttl_expired')
    expect(rig.gateway.routes.has(hostname)).toBe(false)
    expect(rig.errors).toEqual([])
  })

  test('an environment shows an access at once that the database does not have yet', async () => {
    rig.commit('main')
    const { id, hostname, projectId } = await rig.deployed('main')
    await rig.clock.advance(5_000)
    const { environments, activity } = rig.app.useCases
    activity.heartbeat(hostname)
    await settled()
    const at = rig.clock.now()
    expect((await rig.store.environments.find(id))?.lastAccessedAt).toBeLessThan(at)
    const shown = [
      await environments.find(id),
      ...(await environments.list(projectId)),
      ...(await environments.list(projectId, 'main')),
      ...(await environments.listLive()),
    ]
    expect(shown.map(({ lastAccessedAt }) => lastAccessedAt)).toEqual([at, at, at, at])
  })

  test('uses the newest access time in memory, from the gateway and from heartbeats', async () => {
    rig.commit('main')
    const { id, hostname } = await rig.deployed('main')
    await rig.clock.advance(20 * minuteMs)
    rig.gateway.access(id, rig.clock.now())
    await rig.clock.advance(20 * minuteMs)
    rig.app.useCases.activity.heartbeat(hostname)
    rig.app.useCases.activity.heartbeat('unknown.localhost')
    await rig.clock.advance(20 * minuteMs)
    expect((await rig.row(id)).state).toBe('running')
    await rig.clock.advance(11 * minuteMs)
    expect((await rig.row(id)).state).toBe('paused')
  })

  test('does not pause an environment that a request reaches during the pause', async () => {
    rig.commit('main')
    const { id, hostname, hostPort } = await rig.deployed('main')
    rig.gateway.gates.shut('drained')
    await rig.clock.advance(31 * minuteMs)
    await rig.gateway.gates.reached('drained')
    const asked = rig.gateway.ask(id)
    rig.gateway.gates.open('drained')
    expect(await asked).toMatchObject({ port: hostPort })
    expect(rig.gateway.routes.get(hostname)).toMatchObject({ port: hostPort })
    expect(rig.runtime.started).toHaveLength(1)
    expect(await rig.auditKinds(id)).toEqual(['build_succeeded'])
  })

  test('does not run before the gateway has reported accesses from the time without a daemon', async () => {
    rig.commit('main')
    const { id } = await rig.deployed('main')
    await rig.app.stop()
    await rig.clock.advance(60 * minuteMs)
    await rig.restart()
    rig.gateway.access(id, rig.clock.now())
    await rig.clock.advance(2 * minuteMs)
    expect((await rig.row(id)).state).toBe('running')
    expect(rig.runtime.started).toHaveLength(1)
  })

  test('does not pause an environment that was just woken', async () => {
    const { id } = await sleeping()
    await rig.clock.advance(100 * minuteMs)
    await rig.app.useCases.environments.wake(id, operator)
    await rig.clock.advance(5 * minuteMs)
    expect((await rig.row(id)).state).toBe('running')
  })

  test('does not destroy an environment that is waking', async () => {
    const { id } = await sleeping()
    const { projects } = rig.app.useCases
    await projects.update(rig.project.id, { destroyAfter: '1h' }, operator)
    await rig.clock.advance(59 * minuteMs)
    rig.runtime.gates.shut(`healthy:${id}`)
    const woken = rig.app.useCases.environments.wake(id, operator)
    await rig.runtime.gates.reached(`healthy:${id}`)
    await rig.clock.advance(2 * minuteMs)
    rig.runtime.gates.open(`healthy:${id}`)
    await woken
    await rig.clock.advance(minuteMs)
    expect((await rig.row(id)).state).toBe('running')
  })

  test('never destroys the default branch, which is HEAD or else the first deployed branch', async () => {
    const { projects } = rig.app.useCases
    await projects.update(rig.project.id, { destroyAfter: '1h' }, operator)
    rig.git.remoteHead = 'trunk'
    for (const branch of ['preview', 'trunk']) rig.commit(branch)
    const preview = await rig.deployed('preview')
    const trunk = await rig.deployed('trunk')
    const other = await rig.addProject('without-head')
    rig.git.remoteHead = 'absent'
    await projects.update(other.id, { destroyAfter: '1h' }, operator)
    const first = await rig.deployed('trunk', other)
    const second = await rig.deployed('preview', other)
    await rig.clock.advance(90 * minuteMs)
    const states = [preview, trunk, first, second].map(async ({ id }) => (await rig.row(id)).state)
    expect(await Promise.all(states)).toEqual(['destroyed', 'paused', 'paused', 'destroyed'])
  })

  test('keeps a default branch that is missing upstream, and destroys another missing branch', async () => {
    for (const branch of ['main', 'preview', 'other']) rig.commit(branch)
    const main = await rig.deployed('main')
    const preview = await rig.deployed('preview')
    rig.git.upstream.delete('main')
    rig.git.upstream.delete('preview')
    rig.git.remoteHead = 'other'
    await rig.clock.advance(61 * minuteMs)
    await rig.until(async () => (await rig.row(preview.id)).state === 'destroyed')
    expect((await rig.row(main.id)).state).toBe('paused')
    expect((await rig.store.projects.find(rig.project.id))?.defaultBranch).toBe('main')
  })

  test('destroys nothing for ten minutes after the machine was off for 8 days, then what expired', async () => {
    rig.commit('main')
    rig.commit('preview')
    const { id } = await rig.deployed('preview')
    await rig.app.stop()
    rig.clock.jump(8 * dayMs)
    await rig.restart()
    await rig.clock.advance(9 * minuteMs)
    expect((await rig.row(id)).state).toBe('hibernating')
    expect(rig.warnings.filter((text) => text.includes('just started'))).toHaveLength(1)
    await rig.clock.advance(2 * minuteMs)
    expect((await rig.row(id)).state).toBe('destroyed')
  })

  test('destroys nothing while the clock is 8 days ahead, and says so once', async () => {
    rig.commit('main')
    rig.commit('preview')
    const { id } = await rig.deployed('preview')
    await rig.clock.advance(11 * minuteMs)
    rig.clock.jump(8 * dayMs)
    rig.git.upstream.delete('preview')
    await rig.clock.advance(61 * minuteMs)
    expect((await rig.row(id)).state).toBe('hibernating')
    expect(rig.warnings.filter((text) => text.includes('jumped'))).toHaveLength(1)
    rig.clock.jump(-8 * dayMs)
    await rig.clock.advance(61 * minuteMs)
    await rig.until(async () => (await rig.row(id)).state === 'destroyed')
  })

  test('destroys failed environments and leaves the live one untouched', async () => {
    await rig.close()
    rig = await createRig({ config: { gcIntervalMs: 6 * 60 * minuteMs } })
    const { projects, environments, activity } = rig.app.useCases
    await projects.update(rig.project.id, { pauseAfter: '3d', destroyAfter: '2d' }, operator)
    rig.commit('preview')
    rig.commit('main')
    await rig.deployed('main')
    const live = await rig.deployed('preview')
    rig.builder.planFault = new DaemonError('unprocessable', 'no')
    await rig.deploy('preview')
    for (let day = 0; day < 3; day += 1) {
      activity.heartbeat(live.hostname)
      await rig.clock.advance(24 * 60 * minuteMs)
    }
    const states = async () =>
      (await rig.store.environments.list(rig.project.id, 'preview')).map(({ state }) => state)
    await rig.until(async () => (await states())[1] === 'destroyed')
    expect(await states()).toEqual(['running', 'destroyed'])
    await environments.destroy(live.id + 1, { purgeSecrets: true }, operator)
    expect(rig.gateway.routes.get(live.hostname)).toMatchObject({ environmentId: live.id })
  })
})

describe('last accesses', () => {
  test('are written at most once in 15 s and when the daemon stops', async () => {
    rig.commit('main')
    const { id, hostname } = await rig.deployed('main')
    await rig.clock.advance(20_000)
    const before = (await rig.row(id)).lastAccessedAt
    for (let beat = 0; beat < 10; beat += 1) {
      rig.app.useCases.activity.heartbeat(hostname)
      await rig.clock.advance(1000)
    }
    expect((await rig.row(id)).lastAccessedAt).toBe(before)
    await rig.clock.advance(5000)
    const written = (await rig.row(id)).lastAccessedAt
    expect(written).toBeGreaterThan(before)
    rig.app.useCases.activity.heartbeat(hostname)
    await rig.app.stop()
    expect((await rig.row(id)).lastAccessedAt).toBeGreaterThan(written)
  })
})
