import { spawnSync } from 'node:child_process'
import { chownSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, visit } from '../support/stratad/call.ts'
import {
  cleanUp,
  type Daemon,
  newPlace,
  type Place,
  startDaemon,
} from '../support/stratad/daemon.ts'
import { createRepository, plainApp } from '../support/stratad/plain-app.ts'

/** An ordinary user, with no entry in /etc/passwd. */
const uid = 23_456
const strata = fileURLToPath(new URL('../../bin/strata.js', import.meta.url))

const problem =
  process.getuid?.() !== 0
    ? 'needs root'
    : spawnSync(process.execPath, [strata, '--version'], { uid, gid: uid }).status === 0
      ? ''
      : 'needs a checkout that other users can read'

/** A daemon of root closes 21000-22999 of this host. Tests of such daemons may have done so before. */
function canCloseHere(): boolean {
  return /21000-22999/.test(spawnSync('ip', ['rule'], { encoding: 'utf8' }).stdout ?? '')
}

describe.skipIf(problem !== '')(`a daemon without root ${problem}`, () => {
  let place: Place
  let daemon: Daemon
  let folders: string[]

  beforeAll(async () => {
    if (problem !== '') return
    place = await newPlace()
    folders = ['one', 'two'].map(
      (name) => createRepository(join(place.dataDir, 'repositories', name), plainApp).folder,
    )
    spawnSync('chown', ['-R', `${uid}:${uid}`, place.dataDir])
    daemon = await startDaemon({ place, uid })
  })
  afterAll(async () => {
    await daemon?.stop('SIGKILL')
    if (place) cleanUp(place.dataDir)
  })

  const register = (index: number) =>
    call(daemon, 'POST', '/projects', { repo_dir: folders[index] })

  test('hosts one project and refuses a second one with the setting that allows it', async () => {
    const first = await register(0)
    expect(first.status).toBe(201)
    const second = await register(1)
    expect(second.status).toBe(409)
    expect(second.body.error).toContain('SERVICE_TRUST_APPS=1')
    expect((await register(0)).body.id).toBe(first.body.id)
    const path = `/projects/${first.body.id}/deploy`
    expect((await call(daemon, 'POST', path, { branch: 'main' })).status).toBe(201)
    expect((await visit(daemon, 'main--one.localhost')).status).toBe(200)
  })

  test('says so in its log, in /infra/status and in its next steps', async () => {
    expect(daemon.output()).toContain('not all walls between projects stand')
    expect(daemon.output()).toContain('a second project is refused')
    const { body } = await call(daemon, 'GET', '/infra/status')
    expect(body.walls).toContainEqual(expect.objectContaining({ name: 'ports', stands: false }))
    expect(body.next_steps.join()).toContain('run stratad as root')
  })

  test('says how to get ports if a daemon of root has closed its range', async (context) => {
    if (!canCloseHere()) return context.skip('no daemon of root has closed ports here')
    await daemon.stop()
    daemon = await daemon.restart({ SERVICE_APP_PORTS: '21000-22999' })
    const { body } = await call(daemon, 'GET', '/infra/status')
    expect(body.next_steps.join()).toContain('set SERVICE_APP_PORTS to a range')
    await daemon.stop()
    daemon = await daemon.restart({ SERVICE_APP_PORTS: '' })
  })

  test('accepts a second project with SERVICE_TRUST_APPS=1', async () => {
    await daemon.stop()
    daemon = await daemon.restart({ SERVICE_TRUST_APPS: '1' })
    expect((await register(1)).status).toBe(201)
    expect(daemon.output()).toContain('SERVICE_TRUST_APPS=1 allows several projects')
  })

  test('trusts the apps of its own user if strata daemon start started it', async () => {
    const home = await newPlace()
    chownSync(home.dataDir, uid, uid)
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [strata, ...args], {
        ...{ uid, gid: uid, encoding: 'utf8', cwd: home.dataDir },
        env: { PATH: process.env.PATH, HOME: home.dataDir },
      })
    try {
      const ports = ['--port', String(home.port), '--gateway-port', String(home.gatewayPort)]
      expect(run('daemon', 'start', ...ports)).toMatchObject({ status: 0 })
      const log = readFileSync(join(home.dataDir, '.local/state/strata/daemon.log'), 'utf8')
      expect(log).toContain('SERVICE_TRUST_APPS=1 allows several projects')
      const doctor = run('doctor')
      expect(doctor.stdout).toContain('wall: ports')
    } finally {
      run('daemon', 'stop', '--apps')
      cleanUp(home.dataDir)
    }
  })
})
