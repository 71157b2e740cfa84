import { expect, test } from 'vitest'
import { modelOf } from '../../../test/support/generator/migrate/migrate.ts'
import type { StoreKind } from '../model/store-kinds.ts'
import { checkRecords } from './check-records.ts'
import { collectionsOf } from './collections.ts'
import type { CopiedRecord } from './copied-record.ts'

const collections = collectionsOf(
  modelOf('sqlite', {
    Team: 'name:string:max=5,lead_id:uint:fk(Player):optional',
    Player: 'name:string,team_id:uint:fk(Team)',
  }),
)

const league = {
  teams: [
    { id: 1, name: 'Red', lead_id: 2 },
    { id: 7, name: 'Orange', lead_id: null },
  ],
  players: [
    { id: 1, name: 'Ann', team_id: 1 },
    { id: 2, name: 'Bob', team_id: 7 },
  ],
}

test('names the record and the field of each value that the new store cannot hold', async () => {
  const damaged = { ...league, players: [{ id: 1, name: 'a\0', team_id: 3 }] }
  await expect(check('postgres', damaged)).rejects.toMatchObject({
    kind: 'conflict',
    message: "postgres can't hold 4 values, so nothing was copied",
    details: [
      'teams 7: name has 6 characters, more than 5',
      'players 1: name contains a NUL character',
      'teams 1: lead_id refers to players 2, which does not exist',
      'players 1: team_id refers to teams 3, which does not exist',
      'Correct these records in the old store, then run the same command again.',
    ],
  })
})

test('accepts for a document store what only relational stores refuse', async () => {
  await expect(check('mongodb', { ...league, players: [] })).resolves.toBeUndefined()
})

test('names 20 values, and counts the others', async () => {
  const teams = Array.from({ length: 450 }, (_, i) => ({
    id: i + 1,
    name: '123456',
    lead_id: null,
  }))
  await expect(check('mysql', { teams, players: [] })).rejects.toMatchObject({
    message: "mysql can't hold 450 values, so nothing was copied",
    details: expect.arrayContaining(['… and 430 more']),
  })
})

function check(kind: StoreKind, data: Readonly<Record<string, readonly CopiedRecord[]>>) {
  const read = async (name: string, after: number, limit: number) =>
    (data[name] ?? []).filter(({ id }) => id > after).slice(0, limit)
  return checkRecords({ collections, source: { read }, kind, report: () => {} })
}
