import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { availableKinds } from '../../src/generator/stores/stores.ts'
import { jsonOf, type Reply, send } from '../apps/suite/http.ts'
import { type BootedApp, bootApp, runToExit } from '../support/apps/boot.ts'
import { built, emitApp, npm, runStrata } from './emitted-app.ts'
import type { Kind } from './kinds/kind.ts'
import { startKind } from './kinds/kinds.ts'

const kind = z.enum(availableKinds).parse(process.env.STORE_KIND)
const store = await startKind(kind)

const features = [
  'Hall name:string',
  'Seat hall_id:uint:fk place:uint:optional day:date note:string:default="" --unique hall_id,place --index day,place',
]

if ('skipped' in store) {
  const { skipped } = store
  test('unique groups of fields', (context) => {
    context.task.meta.reason = skipped
    context.skip(skipped)
  })
} else describe(`on ${store.name}`, () => describeGroups(store))

function describeGroups(store: Kind): void {
  const folder = mkdtempSync(join(tmpdir(), `strata-groups-${kind}-`))
  let root: string
  let url: string

  beforeAll(async () => {
    root = await emitApp(folder, kind, features)
    url = await store.freshDatabase()
  })
  afterAll(async () => {
    await store.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const taken = { status: 409, message: 'hall_id + place is already taken' }

  test('the second of two records with the same values is refused', async () => {
    await served(async (app) => {
      const hall = idOf(await add(app, 'halls', { name: 'A' }))
      const other = idOf(await add(app, 'halls', { name: 'B' }))
      const first = idOf(await seat(app, { hall_id: hall, place: 1 }))
      expect(outcome(await seat(app, { hall_id: hall, place: 1 }))).toEqual(taken)
      const second = idOf(await seat(app, { hall_id: other, place: 1 }))
      expect(outcome(await put(app, second, { hall_id: hall }))).toEqual(taken)
      const removal = { method: 'DELETE', path: `/api/v1/seats/${first}` }
      expect((await send(app, removal)).status).toBe(204)
      expect((await put(app, second, { hall_id: hall })).status).toBe(200)
    })
  })

  test('a record with NULL in one of the fields collides with none', async (context) => {
    if (store.name === 'mongo-java-server') {
      const reason = 'mongo-java-server ignores partialFilterExpression: set TEST_MONGODB_URL'
      context.task.meta.reason = reason
      context.skip(reason)
    }
    await served(async (app) => {
      const hall = idOf(await add(app, 'halls', { name: 'N' }))
      for (const _ of [1, 2]) idOf(await seat(app, { hall_id: hall }))
      const [first, second] = [
        idOf(await seat(app, { hall_id: hall, place: 1 })),
        idOf(await seat(app, { hall_id: hall, place: 2 })),
      ]
      expect((await put(app, first, { place: null })).status).toBe(200)
      expect((await put(app, second, { place: 1 })).status).toBe(200)
      expect(outcome(await put(app, first, { place: 1 }))).toEqual(taken)
    })
  })

  test('one of twenty concurrent creates with the same values succeeds, and one of ten updates', async () => {
    await served(async (app) => {
      const hall = idOf(await add(app, 'halls', { name: 'C' }))
      const made = await Promise.all(
        Array.from({ length: 20 }, () => seat(app, { hall_id: hall, place: 7 })),
      )
      expect(made.map(({ status }) => status).sort()).toEqual([
        201,
        ...Array.from({ length: 19 }, () => 409),
      ])
      const places = Array.from({ length: 10 }, (_, i) => 100 + i)
      const ids = await Promise.all(
        places.map(async (place) => idOf(await seat(app, { hall_id: hall, place }))),
      )
      const updated = await Promise.all(ids.map((id) => put(app, id, { place: 8 })))
      expect(updated.map(({ status }) => status).sort()).toEqual([
        200,
        ...Array.from({ length: 9 }, () => 409),
      ])
      expect(updated.filter(({ status }) => status === 409).map(outcome)).toEqual(
        Array.from({ length: 9 }, () => taken),
      )
    })
  })

  test('a group over duplicates stops the start and loses nothing, and the next start without it works', async () => {
    await change('--unique', 'none')
    const ids = await served(async (app) => {
      const hall = idOf(await add(app, 'halls', { name: 'D' }))
      return [
        idOf(await seat(app, { hall_id: hall, place: 3 })),
        idOf(await seat(app, { hall_id: hall, place: 3 })),
      ]
    })
    await change('--unique', 'hall_id,place', '--allow-destructive')
    const { code, stdout, stderr } = await runToExit({
      folder: root,
      argv: built,
      env: { DATABASE_URL: url },
    })
    expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(/hall_id.*place/s)])
    if (isRelational()) return
    await change('--unique', 'none')
    await served(async (app) => {
      expect((await put(app, ids[1], { place: 4 })).status).toBe(200)
    })
    await change('--unique', 'hall_id,place', '--allow-destructive')
    await served(async (app) => {
      expect(outcome(await put(app, ids[1], { place: 3 }))).toEqual(taken)
    })
  })

  function isRelational(): boolean {
    return ['sqlite', 'postgres', 'mysql', 'sqlserver'].includes(kind)
  }

  async function change(...options: readonly string[]): Promise<void> {
    await runStrata(root, ['feature', 'Seat', ...options])
    await npm(root, ['run', 'build'])
  }

  async function served<Result>(use: (app: BootedApp) => Promise<Result>): Promise<Result> {
    const app = await bootApp({ folder: root, argv: built, env: { DATABASE_URL: url } })
    try {
      return await use(app)
    } finally {
      await app.stop()
    }
  }
}

function add(app: BootedApp, list: string, json: object): Promise<Reply> {
  return send(app, { method: 'POST', path: `/api/v1/${list}`, json })
}

function seat(app: BootedApp, json: object): Promise<Reply> {
  return add(app, 'seats', { day: '2026-01-31', ...json })
}

function put(app: BootedApp, id: number | undefined, json: object): Promise<Reply> {
  return send(app, { method: 'PUT', path: `/api/v1/seats/${id}`, json })
}

function idOf(reply: Reply): number {
  expect(reply.status, reply.text).toBe(201)
  return z.looseObject({ id: z.number() }).parse(jsonOf(reply)).id
}

function outcome(reply: Reply) {
  return {
    status: reply.status,
    message: JSON.stringify(jsonOf(reply)).match(/[\w+ ]+ is already taken/)?.[0],
  }
}
