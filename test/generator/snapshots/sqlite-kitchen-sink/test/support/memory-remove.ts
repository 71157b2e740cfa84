import { AppError } from '../../src/domain/app-error.js'
import { type MemoryTables, rowsOf } from './memory-tables.js'

interface Place {
  name: string
  id: number
}

/** Whether there was such a record; what is a part of it goes with it. Throws AppError `conflict`. */
export function removeEntry(tables: MemoryTables, name: string, id: number): boolean {
  if (!tables.get(name)?.rows.has(id)) return false
  const falling: Place[] = [{ name, id }]
  // It grows on the way: each may have parts of its own.
  for (const whole of falling) {
    for (const { cascade, ...part } of referringTo(tables, whole)) {
      if (!cascade) throw new AppError('conflict', 'other records refer to it')
      if (!falling.some((other) => isSame(other, part))) falling.push(part)
    }
  }
  for (const each of falling) {
    unlink(tables, each)
    tables.get(each.name)?.rows.delete(each.id)
  }
  return true
}

/** Where the others are that refer to a record. */
function referringTo(tables: MemoryTables, { name, id }: Place) {
  return [...tables].flatMap(([other, { references }]) =>
    references
      .filter(({ table }) => table === name)
      .flatMap(({ key, cascade }) =>
        rowsOf(tables, other)
          .filter((row) => row[key] === id && !(other === name && row.id === id))
          .map((row) => ({ name: other, id: row.id, cascade })),
      ),
  )
}

function isSame(one: Place, other: Place): boolean {
  return one.name === other.name && one.id === other.id
}

function unlink(tables: MemoryTables, { name, id }: Place): void {
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
