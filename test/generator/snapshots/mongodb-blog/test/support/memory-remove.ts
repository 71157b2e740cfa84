import { AppError } from '../../src/domain/app-error.js'
import { type MemoryTables, rowsOf } from './memory-tables.js'

/** Whether there was such a record; what is a part of it goes with it. Throws AppError `conflict`. */
export function removeEntry(tables: MemoryTables, name: string, id: number): boolean {
  if (!tables.get(name)?.rows.has(id)) return false
  assertFree(tables, name, id)
  for (const [other, { references }] of tables) {
    for (const { table, key } of references.filter(({ cascade }) => cascade)) {
      if (table !== name) continue
      for (const row of rowsOf(tables, other)) {
        if (row[key] === id) removeEntry(tables, other, row.id)
      }
    }
  }
  unlink(tables, name, id)
  return tables.get(name)?.rows.delete(id) ?? false
}

/** All that falls with the record must be free of others too. */
function assertFree(tables: MemoryTables, name: string, id: number): void {
  for (const [other, { references }] of tables) {
    for (const { table, key, cascade } of references) {
      if (table !== name) continue
      const referring = rowsOf(tables, other).filter(
        (row) => row[key] === id && !(other === name && row.id === id),
      )
      if (referring.length === 0) continue
      if (!cascade) throw new AppError('conflict', 'other records refer to it')
      for (const row of referring) assertFree(tables, other, row.id)
    }
  }
}

function unlink(tables: MemoryTables, name: string, id: number): void {
  for (const { rows, many } of tables.values()) {
    for (const { field, table } of many) {
      if (table !== name) continue
      for (const [key, row] of rows) {
        const ids = row[field] as number[]
        if (ids.includes(id))
          rows.set(key, { ...row, [field]: ids.filter((other) => other !== id) })
      }
    }
  }
}
