import { rowLock } from '../infra/dialect.js'
import type { Db, Run } from '../infra/queries.js'
import { type AppRecord, assign, selection, toRecord, toRow } from './kysely-rows.js'
import type { Check } from './repository.js'

type Data = Record<string, unknown>

type Find = (db: Db, name: string, id: number) => Promise<AppRecord | undefined>

/** Creates the functions that write to a table. */
export function createWriter(run: Run, find: Find, name: string) {
  async function insert(db: Db, draft: Data): Promise<AppRecord> {
    const row = toRow(name, draft)
    const names = Object.keys(row)
    const { rows } = await run(db, `insert ${names}`, Object.values(row), (values) =>
      db.insertInto(name).values(assign(names, values)).returning(selection(name)),
    )
    return toRecord(name, rows[0] ?? {})
  }

  function update(db: Db, id: number, changes: Data, check: Check<AppRecord> | undefined) {
    return db.transaction().execute(async (trx) => {
      await assertCheck(trx, id, check)
      const row = toRow(name, changes)
      const names = Object.keys(row)
      const { numAffectedRows } = await run(
        trx,
        `update ${names}`,
        [id, ...Object.values(row)],
        ([id, ...values]) => trx.updateTable(name).set(assign(names, values)).where('id', '=', id),
      )
      if (numAffectedRows === 0n) return undefined
      return find(trx, name, id)
    })
  }

  function remove(db: Db, id: number, check: Check<AppRecord> | undefined) {
    return db.transaction().execute(async (trx) => {
      await assertCheck(trx, id, check)
      const { numAffectedRows } = await run(trx, 'delete', [id], ([id]) =>
        trx.deleteFrom(name).where('id', '=', id),
      )
      return numAffectedRows !== 0n
    })
  }

  /** Locks the record, so that no other write comes after the check. */
  async function assertCheck(trx: Db, id: number, check: Check<AppRecord> | undefined) {
    if (!check) return
    await run(trx, 'lock', [id], ([id]) =>
      trx.selectFrom(name).select('id').where('id', '=', id).modifyEnd(rowLock),
    )
    const record = await find(trx, name, id)
    if (record) check(record)
  }

  return { create: insert, update, remove }
}
