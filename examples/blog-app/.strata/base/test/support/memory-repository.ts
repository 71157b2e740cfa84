import { AppError } from '../../src/domain/app-error.js'
import { foldText } from '../../src/domain/fold-text.js'
import {
  maxParts,
  type Page,
  type Repository,
  type Stored,
} from '../../src/repositories/repository.js'
import { removeEntry } from './memory-remove.js'
import { compare, comparisons, entryAt, inOrder } from './memory-sort.js'
import {
  type Entry,
  follow,
  type Many,
  type MemoryTables,
  rowsOf,
  type TableOf,
} from './memory-tables.js'

/** Creates a repository in memory, for tests without a store. It passes the same contract suite as real adapters. */
export function createMemoryRepository<Row extends Stored, Draft, Filter, Details extends Row>(
  tables: MemoryTables,
  table: TableOf<Row, Draft, Filter, Details>,
): Repository<Row, Draft, Filter, Details> & { owner(id: number): Promise<number | undefined> } {
  const { name, unique = [], references = [], many = [], children = [] } = table
  const { filters = [], ranges = [], decimals = [], viewers = [] } = table
  const rows = new Map<number, Entry>()
  tables.set(name, { rows, references, many, read })
  let lastId = 0

  function read(row: Entry): Entry {
    const summaries = references.map(({ key, as, table, label }) => {
      const other = tables.get(table)?.rows.get(Number(row[key]))
      return [as, other ? { id: other.id, ...(label && { [label]: other[label] }) } : null]
    })
    const lists = many.map(({ field, table }) => [field, readAll(table, idsIn(row, field))])
    return { ...row, ...Object.fromEntries([...summaries, ...lists]) }
  }

  function readAll(other: string, ids: readonly number[]): Entry[] {
    const table = tables.get(other)
    const found = ids.toSorted((a, b) => a - b).flatMap((id) => table?.rows.get(id) ?? [])
    return table ? found.map(table.read) : []
  }

  function readDetails(row: Entry): Entry {
    const lists = children.map(({ field, table, key, whole }) => {
      const parts = rowsOf(tables, table)
        .filter((part) => part[key] === row.id)
        .sort(inOrder())
      const shown = parts.slice(0, maxParts).reverse()
      return {
        [field]: shown.map((part) => ({ ...tables.get(table)?.read(part), [whole]: undefined })),
        [`${field}Total`]: parts.length,
      }
    })
    return Object.assign(read(row), ...lists)
  }

  /** Replaces the keys (slugs) in the draft's many-to-many fields by ids. */
  function withLinkedIds<Given extends object>(given: Given): Given {
    const draft = new Map(Object.entries(given))
    const lists = many.flatMap((relation) => {
      const { field } = relation
      const keys: unknown = draft.get(field)
      return Array.isArray(keys) ? [[field, idsOf(relation, keys)]] : []
    })
    return { ...given, ...Object.fromEntries(lists) }
  }

  function idsOf({ path, table, key }: Many, keys: readonly unknown[]): number[] {
    const found = rowsOf(tables, table).filter((other) => keys.includes(other[key]))
    const unknown = keys.filter((value) => !found.some((other) => other[key] === value))
    if (unknown.length === 0) return found.map(({ id }) => id)
    const message = `names unknown records: ${unknown.join(', ')}`
    throw new AppError('invalid', 'validation failed', { details: [{ path, message }] })
  }

  function assertConstraints(candidate: Entry) {
    for (const fields of unique.map((each) => [each].flat())) {
      const taken = [...rows.values()].some(
        (row) =>
          row.id !== candidate.id && fields.every((field) => isSame(row[field], candidate[field])),
      )
      if (taken) throw new AppError('conflict', `${fields.join(' + ')} is already taken`)
    }
    for (const { key, table, words } of references) {
      const id = candidate[key]
      if (typeof id === 'number' && !tables.get(table)?.rows.has(id))
        throw new AppError('not-found', `${words} not found`)
    }
  }

  function matchesFilter(row: Entry, filter: Record<string, unknown>): boolean {
    const isEqual = filters.every(
      (field) => filter[field] === undefined || row[field] === filter[field],
    )
    const isLinked = many.every((relation) => {
      const wanted = filter[relation.filter]
      if (wanted === undefined) return true
      return readAll(relation.table, idsIn(row, relation.field)).some(
        (other) => other[relation.key] === wanted,
      )
    })
    return (
      isEqual &&
      isLinked &&
      isInRanges(row, filter) &&
      isVisible(row, filter.visibleTo) &&
      matchesSearch(row, filter.search)
    )
  }

  function isInRanges(row: Entry, filter: Record<string, unknown>): boolean {
    return ranges.every((field) => {
      const range = Object.entries(filter[field] ?? {}).filter(([, bound]) => bound !== undefined)
      return range.every(([operator, bound]) => {
        const order = compare(row[field], bound, decimals.includes(field))
        return row[field] !== null && comparisons[operator]?.(order)
      })
    })
  }

  function isVisible(row: Entry, user: unknown): boolean {
    return (
      user === undefined || viewers.every((path) => follow(tables, name, row.id, path) === user)
    )
  }

  function matchesSearch(row: Entry, text: unknown): boolean {
    const { search = [] } = table
    if (search.length === 0 || typeof text !== 'string') return true
    return search.some((field) => foldText(String(row[field] ?? '')).includes(foldText(text)))
  }

  return {
    async list({ page, pageSize, sort, after, ...filter }: Page & Filter) {
      const order = inOrder(sort, decimals)
      const listed = [...rows.values()].filter((row) => matchesFilter(row, filter)).sort(order)
      const last = after && entryAt(after, sort)
      const following = last ? listed.filter((row) => order(row, last) > 0) : listed
      const start = (page - 1) * pageSize
      const shown = following.slice(start, start + pageSize).map(read)
      return {
        rows: shown as unknown[] as Row[],
        total: listed.length,
        hasMore: following.length > start + pageSize,
      }
    },
    async find(id) {
      const row = rows.get(id)
      return row && (readDetails(row) as Stored as Details)
    },
    owner: async (id) => follow(tables, name, id, table.owner ?? []) as number | undefined,
    async create(draft) {
      const entry = { ...draft, id: lastId + 1 } as unknown as Entry
      assertConstraints(entry)
      const row = withLinkedIds(entry)
      lastId = row.id
      rows.set(row.id, row)
      return read(row) as Stored as Row
    },
    async update(id, changes, check) {
      const row = rows.get(id)
      if (!row) return undefined
      check?.(read(row) as Stored as Row)
      assertConstraints({ ...row, ...changes })
      const changed: Entry = { ...row, ...withLinkedIds(changes) }
      rows.set(id, changed)
      return read(changed) as Stored as Row
    },
    async remove(id, check) {
      const row = rows.get(id)
      if (row) check?.(read(row) as Stored as Row)
      return removeEntry(tables, name, id)
    },
  }
}

/** Returns true if both values are equal and not NULL. */
function isSame(one: unknown, other: unknown): boolean {
  return one !== null && compare(one, other, false) === 0
}

function idsIn(row: Entry, field: string): number[] {
  return row[field] as number[]
}
