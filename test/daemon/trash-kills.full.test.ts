import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call } from '../support/stratad/call.ts'
import { cleanUp, type Daemon } from '../support/stratad/daemon.ts'
import {
  buildKillable,
  type KillableDaemon,
  type KillableProgram,
} from '../support/stratad/killable.ts'
import { createProject, deploy, type Project, rowOf } from '../support/stratad/project.ts'
import { addRow, rowApp, rowsOfApp, trashOf } from '../support/stratad/row-app.ts'

let program: KillableProgram
let killable: KillableDaemon
let daemon: Daemon
let shop: Project
let id: number

beforeAll(async () => {
  program = await buildKillable()
})
afterAll(() => program.remove())

beforeEach(async () => {
  killable = await program.start()
  daemon = killable.daemon()
  shop = await createProject(daemon, 'shop', rowApp)
  expect((await deploy(daemon, shop)).status).toBe(201)
  await addRow(daemon, shop, 'first')
  id = (await rowOf(daemon, shop)).id
})
afterEach(async () => {
  await killable.daemon().stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

/** Sends a request during which the daemon dies, and waits for the next daemon. */
async function dieDuring(step: string, method: string, path: string, body?: unknown) {
  killable.killAt(step)
  await call(daemon, method, path, body).catch(() => undefined)
  daemon = await killable.awaitRestart()
}

const foldersInTrash = () => readdirSync(join(daemon.dataDir, 'trash'))

describe('a daemon killed while it moves data to the trash', () => {
  test.each(['destroy:clear', 'trash:move', 'trash:moved'])(
    'at %s loses and repeats nothing',
    async (step) => {
      await dieDuring(step, 'DELETE', `/environments/${id}`)
      expect(await eventually(async () => (await trashOf(daemon)).length === 1, 20_000)).toBe(true)
      expect(foldersInTrash()).toHaveLength(1)
      expect((await deploy(daemon, shop)).status).toBe(201)
      expect(await rowsOfApp(daemon, shop)).toEqual(['first'])
      expect(await trashOf(daemon)).toEqual([])
    },
  )

  test('and redeployed at once keeps the data in the branch', async () => {
    await dieDuring('trash:move', 'DELETE', `/environments/${id}`)
    expect((await deploy(daemon, shop)).status).toBe(201)
    expect(await rowsOfApp(daemon, shop)).toEqual(['first'])
    expect(await trashOf(daemon)).toEqual([])
  })
})

describe('a daemon killed while it removes data', () => {
  test.each(['destroy:clear', 'trash:move', 'trash:moved', 'trash:purge', 'trash:purged'])(
    'at %s completes the removal',
    async (step) => {
      await dieDuring(step, 'DELETE', `/environments/${id}?purge_data=true`)
      const isEmpty = () => readdirSync(join(daemon.dataDir, 'volumes', String(shop.id)))
      expect(await eventually(() => isEmpty().length === 0, 20_000)).toBe(true)
      expect(await eventually(() => foldersInTrash().length === 0, 20_000)).toBe(true)
      expect((await deploy(daemon, shop)).status).toBe(201)
      expect(await rowsOfApp(daemon, shop)).toEqual([])
    },
  )
})

test('a daemon killed while it deletes a project has the data in the trash', async () => {
  await dieDuring('trash:move', 'DELETE', `/projects/${shop.id}`)
  expect(await eventually(async () => (await trashOf(daemon)).length === 1, 20_000)).toBe(true)
  expect((await call(daemon, 'DELETE', `/projects/${shop.id}`)).status).toBe(204)
  expect(await trashOf(daemon)).toMatchObject([{ branch: 'main', reason: 'project_deleted' }])
})

describe('a daemon killed while it brings data back', () => {
  test.each(['trash:restore', 'trash:restored'])(
    'at %s of a deploy has the data in the branch once',
    async (step) => {
      await call(daemon, 'DELETE', `/environments/${id}`)
      await dieDuring(step, 'POST', `/projects/${shop.id}/deploy`, { branch: 'main' })
      const serves = async () => (await rowOf(daemon, shop)).state === 'running'
      expect(await eventually(serves, 30_000)).toBe(true)
      expect(await rowsOfApp(daemon, shop)).toEqual(['first'])
      expect(await trashOf(daemon)).toEqual([])
      expect(foldersInTrash()).toEqual([])
    },
  )

  test.each(['trash:restore', 'trash:restored'])(
    'at %s of a restore by hand has the data in one place',
    async (step) => {
      await call(daemon, 'DELETE', `/environments/${id}`)
      const [entry] = await trashOf(daemon)
      await dieDuring(step, 'POST', `/trash/${entry.id}/restore`)
      expect(await trashOf(daemon)).toHaveLength(step === 'trash:restore' ? 1 : 0)
      expect((await deploy(daemon, shop)).status).toBe(201)
      expect(await rowsOfApp(daemon, shop)).toEqual(['first'])
      expect(await trashOf(daemon)).toEqual([])
    },
  )
})
