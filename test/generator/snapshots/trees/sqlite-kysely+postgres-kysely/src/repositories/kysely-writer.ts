import { AppError } from '../domain/app-error.js'
import { among, rowLock, toList } from '../infra/dialect.js'
import type { Db, Run } from '../infra/queries.js'
import { guard } from './kysely-errors.js'
import type { Reader } from './kysely-reader.js'
import { type AppRecord, selection, tableOf, toRecord, toRow } from './kysely-rows.js'
import type { Check } from './repository.js'

type Data = Record<string, unknown>

/** Creates the functions that write to a table. */
export function createWriter(run: Run, reader: Reader, name: string) {
  const { columns, references = [], many = [] } = tableOf(name)
  const unique = Object.values(columns).flatMap((column) => (column.unique ? [column.name] : []))
  // A statement returns neither links nor the new state of a record that refers to itself.
  const isReadBack = many.length > 0 || references.some(({ to }) => to === name)

  async function create(db: Db, draft: Data): Promise<AppRecord> {
    const written = isReadBack
      ? db.transaction().execute(async (trx) => {
          const { id } = await insert(trx, draft)
          await link(trx, id, draft)
          return (await reader.find(trx, name, id)) as AppRecord
        })
      : insert(db, draft)
    return guard(written, unique, () => assertReferences(db, draft))
  }

  async function insert(db: Db, draft: Data): Promise<AppRecord> {
    const row = toRow(name, draft)
    const names = Object.keys(row)
    const { rows } = await run(db, `insert ${names}`, Object.values(row), (values) =>
      db.insertInto(name).values(assign(names, values)).returning(selection(name)),
    )
    return toRecord(name, rows[0] ?? {})
  }

  async function update(db: Db, id: number, changes: Data, check?: Check<AppRecord>) {
    const written = db.transaction().execute(async (trx) => {
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
      await link(trx, id, changes)
      return reader.find(trx, name, id)
    })
    return guard(written, unique, () => assertReferences(db, changes))
  }

  async function remove(db: Db, id: number, check?: Check<AppRecord>): Promise<boolean> {
    const written = db.transaction().execute(async (trx) => {
      await assertCheck(trx, id, check)
      const { numAffectedRows } = await run(trx, 'delete', [id], ([id]) =>
        trx.deleteFrom(name).where('id', '=', id),
      )
      return numAffectedRows !== 0n
    })
    return guard(written)
  }

  /** Locks the record, so that no other write comes after the check. */
  async function assertCheck(trx: Db, id: number, check: Check<AppRecord> | undefined) {
    if (!check) return
    await run(trx, 'lock', [id], ([id]) =>
      trx.selectFrom(name).select('id').where('id', '=', id).modifyEnd(rowLock),
    )
    const record = await reader.find(trx, name, id)
    if (record) check(record)
  }

  /** Replaces the links of the lists in `data`. Throws AppError `invalid` if a list names an absent record. */
  async function link(trx: Db, id: number, data: Data) {
    for (const { field, path, links, holder, target, to, key } of many) {
      const keys = data[field] as readonly unknown[] | undefined
      if (!keys) continue
      const { rows } = await run(trx, `find ${to}`, [toList(keys)], ([keys]) =>
        trx
          .selectFrom(to)
          .select(['id', `${key} as key`])
          .where(among(`${to}.${key}`, keys)),
      )
      const unknown = keys.filter((each) => !rows.some(({ key }) => key === each))
      if (unknown.length > 0) {
        const message = `names unknown records: ${unknown.join(', ')}`
        throw new AppError('invalid', 'validation failed', { details: [{ path, message }] })
      }
      await run(trx, `unlink ${links}`, [id], ([id]) =>
        trx.deleteFrom(links).where(holder, '=', id),
      )
      for (const { id: linked } of rows) {
        await run(trx, `link ${links}`, [id, linked], (ids) =>
          trx.insertInto(links).values(assign([holder, target], ids)),
        )
      }
    }
  }

  /** Called after the store has refused a write. Throws AppError if a referenced record does not exist. */
  async function assertReferences(db: Db, data: Data) {
    for (const { key, to } of references) {
      const id = data[key]
      if (typeof id !== 'number') continue
      const { rows } = await run(db, `exists ${to}`, [id], ([id]) =>
        db.selectFrom(to).select('id').where('id', '=', id),
      )
      if (rows.length === 0) throw new AppError('not-found', `${tableOf(to).words} not found`)
    }
  }

  return { create, update, remove }
}

function assign(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name, i) => [name, values[i]]))
}
