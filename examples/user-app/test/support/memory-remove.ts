import { AppError } from '../../src/domain/app-error.js'
import { type MemoryTables, rowsOf } from './memory-tables.js'

interface RecordKey {
  table: string
  id: number
}

/** Deletes a record and, by cascade, its parts. Returns whether it existed. Throws AppError `conflict`. */
export function removeEntry(tables: MemoryTables, table: string, id: number): boolean {
  if (!tables.get(table)?.rows.has(id)) return false
  const deletions: RecordKey[] = [{ table, id }]
  const isDeleted = (key: RecordKey) =>
    deletions.some((deleted) => deleted.table === key.table && deleted.id === key.id)
  const blockers: RecordKey[] = []
  // The loop appends to the array it walks: a deleted part can have parts.
  for (const deletion of deletions) {
    for (const { cascade, ...referrer } of referrersOf(tables, deletion)) {
      if (!cascade) blockers.push(referrer)
      else if (!isDeleted(referrer)) deletions.push(referrer)
    }
  }
  if (!blockers.every(isDeleted))
    throw new AppError('conflict', 'other records refer to this record')
  for (const deletion of deletions) {
    unlink(tables, deletion)
    tables.get(deletion.table)?.rows.delete(deletion.id)
  }
  return true
}

/** Finds the records with a foreign key to a record. */
function referrersOf(tables: MemoryTables, target: RecordKey) {
  return [...tables].flatMap(([table, { references }]) =>
    references
      .filter((reference) => reference.table === target.table)
      .flatMap(({ key, cascade }) =>
        rowsOf(tables, table)
          .filter((row) => row[key] === target.id)
          .map((row) => ({ table, id: row.id, cascade })),
      ),
  )
}

/** Removes a record's id from the many-to-many fields of all records. */
function unlink(tables: MemoryTables, target: RecordKey): void {
  for (const { rows, many } of tables.values()) {
    for (const { field, table } of many) {
      if (table !== target.table) continue
      for (const [key, row] of rows) {
        const ids = row[field] as number[]
        if (ids.includes(target.id))
          rows.set(key, { ...row, [field]: ids.filter((id) => id !== target.id) })
      }
    }
  }
}
