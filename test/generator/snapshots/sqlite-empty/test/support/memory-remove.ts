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
  const falls = (place: Place) =>
    falling.some((each) => each.name === place.name && each.id === place.id)
  const holders: Place[] = []
  // It grows on the way: each may have parts of its own.
  for (const each of falling) {
    for (const { cascade, ...other } of referringTo(tables, each)) {
      if (!cascade) holders.push(other)
      else if (!falls(other)) falling.push(other)
    }
  }
  if (!holders.every(falls)) throw new AppError('conflict', 'other records refer to it')
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
          .filter((row) => row[key] === id)
          .map((row) => ({ name: other, id: row.id, cascade })),
      ),
  )
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
