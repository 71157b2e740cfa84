import { describe, expect, test } from 'vitest'
import { modelOf } from '../../../test/support/generator/migrate/migrate.ts'
import { batchSize } from './batches.ts'
import { collectionsOf } from './collections.ts'
import { type CopiedRecord, differingNames } from './copied-record.ts'
import { type Copy, type CopyState, copyRecords } from './copy-records.ts'
import type { CopyStore } from './copy-store.ts'

const collections = collectionsOf(
  modelOf('sqlite', {
    Team: 'name:string,lead_id:uint:fk(Player):optional',
    Player: 'name:string,team_id:uint:fk(Team)',
  }),
)

const playerCount = 2 * batchSize + 17
const calls = 40

describe('copyRecords', () => {
  test('copies all records with their references, and the last ids', async () => {
    const [source, target] = [league(), memoryStore()]
    const counts = await copyRecords(copyOf(source, target).copy)
    expect([...counts]).toEqual([
      ['teams', 3],
      ['players', playerCount],
    ])
    expect(target.contents()).toEqual(source.contents())
    expect(await target.store.lastId('players')).toBe(playerCount + 5)
  })

  test('refuses a new store that has records, and leaves them', async () => {
    const target = memoryStore()
    target.put('players', { id: 9, name: 'Eve', team_id: 1 })
    const before = target.contents()
    await expect(copyRecords(copyOf(league(), target).copy)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('the new store has records in players'),
    })
    expect(target.contents()).toEqual(before)
  })

  test('continues after a failure of any call, and copies no finished batch again', async () => {
    const interrupted: number[] = []
    for (let failing = 1; failing < calls; failing += 1) {
      const [source, target] = [league(), memoryStore()]
      const first = copyOf(source, failingAfter(target, failing))
      if (await isRejected(copyRecords(first.copy))) interrupted.push(failing)
      const written = target.writes()
      const finished = Object.values(first.state()?.done ?? {}).length
      await copyRecords(copyOf(source, target, first.state()).copy)
      expect(target.contents(), `call ${failing}`).toEqual(source.contents())
      if (finished > 0) expect(target.writes() - written, `call ${failing}`).toBeLessThan(5)
    }
    expect(interrupted.length).toBeGreaterThan(10)
  })

  test('gives a continued copy the changes and removals of the old store since', async () => {
    const [source, target] = [league(), memoryStore()]
    const first = copyOf(source, failingAfter(target, 12))
    await expect(copyRecords(first.copy)).rejects.toThrow('the store is gone')
    source.drop('players', 5)
    source.put('players', { id: 3, name: 'Renamed', team_id: 2 })
    const second = copyOf(source, target, first.state())
    await expect(copyRecords(second.copy)).rejects.toMatchObject({
      kind: 'failure',
      message: expect.stringContaining('players: record 3 differs in name, team_id'),
    })
    await copyRecords(copyOf(source, target, second.state()).copy)
    expect(target.contents()).toEqual(source.contents())
  })

  test('fails if the new store does not keep a value', async () => {
    const target = memoryStore()
    const write = target.store.write
    const lossy = {
      ...target.store,
      write: (name: string, records: readonly CopiedRecord[], without: readonly string[]) =>
        write(
          name,
          records.map((each) => ({ ...each, name: String(each.name).trim() })),
          without,
        ),
    }
    await expect(
      copyRecords(copyOf(league(), { ...target, store: lossy }).copy),
    ).rejects.toMatchObject({ message: expect.stringContaining('teams: record 2 differs in name') })
  })
})

function isRejected(result: Promise<unknown>): Promise<boolean> {
  return result.then(
    () => false,
    () => true,
  )
}

/** A league whose last players were removed. */
function league() {
  const source = memoryStore()
  for (const id of [1, 2, 3])
    source.put('teams', { id, name: ` Team ${id}`.slice(id % 2), lead_id: id })
  for (let id = 1; id <= playerCount; id += 1)
    source.put('players', { id, name: `Player ${id}`, team_id: 1 + (id % 3) })
  source.setLastId('players', playerCount + 5)
  return source
}

interface Memory {
  readonly store: CopyStore
}

function copyOf({ store: source }: Memory, { store: target }: Memory, state?: CopyState) {
  let saved = state
  const copy: Copy = {
    collections,
    source,
    target,
    kind: 'postgres',
    state,
    saveState: (next) => {
      saved = structuredClone(next)
    },
    report: () => {},
  }
  return { copy, state: () => saved }
}

/** A store that fails all calls after a number of calls. */
function failingAfter({ store }: Memory, count: number): Memory {
  let calls = 0
  const failing = Object.entries(store).map(([name, call]) => [
    name,
    (...args: never[]) => {
      calls += 1
      if (calls > count) throw new Error('the store is gone')
      return (call as (...args: never[]) => unknown)(...args)
    },
  ])
  return { store: Object.fromEntries(failing) }
}

/** A store in memory that checks foreign keys, as relational stores do. */
function memoryStore() {
  const data = new Map(collections.map(({ name }) => [name, new Map<number, CopiedRecord>()]))
  const lastIds = new Map<string, number>()
  let written = 0
  const recordsOf = (name: string) => data.get(name) ?? new Map<number, CopiedRecord>()

  function put(name: string, record: CopiedRecord): void {
    recordsOf(name).set(record.id, record)
    lastIds.set(name, Math.max(lastIds.get(name) ?? 0, record.id))
  }

  function assertReferences(record: CopiedRecord): void {
    const keys = [
      ['team_id', 'teams'],
      ['lead_id', 'players'],
    ] as const
    for (const [key, target] of keys) {
      const id = record[key]
      if (typeof id === 'number' && !recordsOf(target).has(id))
        throw new Error(`no ${target} ${id}`)
    }
  }

  const store: CopyStore = {
    async read(name, after, limit) {
      const sorted = [...recordsOf(name).values()].sort((a, b) => a.id - b.id)
      return sorted.filter(({ id }) => id > after).slice(0, limit)
    },
    async write(name, records, without) {
      for (const record of records) {
        const held = Object.fromEntries(without.map((field) => [field, null]))
        const found = recordsOf(name).get(record.id)
        const next = { ...record, ...held, ...(found && pick(found, without)) }
        if (found && differingNames(found, next).length === 0) continue
        assertReferences(next)
        put(name, next)
      }
      written += 1
    },
    async remove(name, ids) {
      for (const id of ids) recordsOf(name).delete(id)
    },
    lastId: async (name) => lastIds.get(name) ?? 0,
    async raiseLastId(name, id) {
      lastIds.set(name, Math.max(id, lastIds.get(name) ?? 0))
    },
  }

  return {
    store,
    put,
    drop: (name: string, id: number) => recordsOf(name).delete(id),
    setLastId: (name: string, id: number) => lastIds.set(name, id),
    writes: () => written,
    contents: () =>
      [...data].map(([name, records]) => [name, [...records.values()].sort((a, b) => a.id - b.id)]),
  }
}

function pick(record: CopiedRecord, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, record[name]]))
}
