import type { MutantName } from './reference-mutants.ts'
import type { Json } from './reference-validation.ts'
import { roundTrip } from './round-trip.ts'

export interface Row extends Json {
  readonly id: number
  readonly created_at: string
  readonly updated_at: string
}

export interface ReferenceStore {
  /** Compares rows: newest first, then by descending id. */
  readonly sorted: () => readonly Row[]
  /** How many deleted rows a broken total still counts. */
  readonly ghosts: () => number
  readonly find: (id: number) => Row | undefined
  readonly create: (body: Json) => Promise<Row>
  readonly update: (id: number, body: Json) => Promise<Row | undefined>
  readonly remove: (id: number) => Promise<boolean>
}

/** Rows in memory; calls `saved` with all rows after each write. */
export function createReferenceStore(
  mutant?: MutantName,
  rows: Row[] = [],
  saved: (rows: readonly Row[]) => void = () => {},
): ReferenceStore {
  const is = (name: MutantName): boolean => mutant === name
  const byId = new Map(rows.map((row) => [row.id, row]))
  const firstById = new Map(byId)
  let lastId = Math.max(0, ...byId.keys())
  let ghosts = 0
  const now = (): string => {
    const date = new Date()
    if (is('clock-wrong')) date.setFullYear(2020)
    if (is('whole-seconds')) date.setMilliseconds(0)
    return date.toISOString()
  }
  const store = (row: Row): Row => {
    byId.set(row.id, row)
    if (!firstById.has(row.id)) firstById.set(row.id, row)
    saved([...byId.values()])
    return row
  }
  const restOf = (body: Json): Json => ({ ...body, ...garbled(body, is) })

  return {
    sorted: () => sortedRows([...(is('list-shows-stale') ? firstById : byId).values()], is),
    ghosts: () => ghosts,
    find: (id) => byId.get(id),
    create: async (body) => {
      if (is('ids-again')) lastId = Math.max(0, ...byId.keys())
      const id = lastId + 1
      if (is('ids-race')) await roundTrip()
      lastId = Math.max(lastId, id)
      const at = now()
      return store({ created_at: at, updated_at: at, ...restOf(body), id: idFor(body, id, is) })
    },
    update: async (id, body) => {
      const before = byId.get(id)
      if (is('lost-update') || is('torn-update')) await roundTrip()
      if (before === undefined && !is('put-upserts')) return undefined
      if (!byId.has(id) && !is('put-upserts')) return undefined
      const base = is('lost-update') ? before : byId.get(id)
      if (is('resurrects')) await roundTrip()
      const changed = is('put-ignores-age') ? { ...body, age: base?.age } : body
      if (is('update-hits-neighbour')) {
        const neighbour = byId.get(id + 1)
        if (neighbour !== undefined) store({ ...neighbour, ...body, id: id + 1 })
      }
      const at = now()
      const kept: Json = is('put-replaces') ? { name: '', email: '', age: 0 } : (base ?? {})
      return store({
        ...kept,
        ...restOf(is('torn-update') ? { ...changed, age: before?.age } : changed),
        id,
        created_at: is('created-at-moves') ? at : (base?.created_at ?? at),
        updated_at: is('updated-at-frozen') ? (base?.updated_at ?? at) : at,
      })
    },
    remove: async (id) => {
      if (!byId.has(id)) return false
      if (is('delete-race')) await roundTrip()
      if (!byId.has(id)) throw new Error('no row was deleted')
      if (is('delete-marks-only')) ghosts += 1
      if (is('delete-takes-older')) byId.delete(id - 1)
      byId.delete(id)
      firstById.delete(id)
      saved([...byId.values()])
      return true
    },
  }
}

function sortedRows(rows: readonly Row[], is: (name: MutantName) => boolean): readonly Row[] {
  const key = is('sorted-by-update') ? 'updated_at' : 'created_at'
  const sign = is('oldest-first') ? -1 : 1
  const tie = is('ties-by-lower-id') ? -1 : 1
  const sorted = [...rows].sort(
    (one, two) => sign * (Date.parse(two[key]) - Date.parse(one[key]) || tie * (two.id - one.id)),
  )
  const isFresh = (row: Row): boolean => Date.now() - Date.parse(row.created_at) < 1000
  return is('list-lags') ? sorted.filter((row) => !isFresh(row)) : sorted
}

function idFor(body: Json, id: number, is: (name: MutantName) => boolean): number {
  return is('managed-written') && typeof body.id === 'number' ? body.id : id
}

function garbled(body: Json, is: (name: MutantName) => boolean): Json {
  const { name, age } = body
  if (typeof age === 'number' && is('int-wraps')) return { age: age | 0 }
  if (typeof name !== 'string') return {}
  if (is('three-byte-text')) return { name: name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?') }
  if (is('normalizes')) return { name: name.normalize('NFC') }
  if (is('trims')) return { name: name.trim() }
  if (is('surrogates-replaced')) return { name: Buffer.from(name).toString() }
  if (is('nul-cuts')) return { name: name.split('\u0000')[0] }
  if (is('truncates')) return { name: name.slice(0, 255) }
  if (is('percent-stripped')) return { name: name.replaceAll(/[%_*]/g, '') }
  return {}
}
