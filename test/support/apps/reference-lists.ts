/** A record of a reference's list, as the API shows it. */
interface Row {
  readonly id: number
}

/** Broken lists. */
type ListMutant =
  | 'sort-ignored'
  | 'ties-always-descending'
  | 'cursor-is-an-offset'
  | 'cursor-never-ends'
  | 'any-sort-passes'
  | 'any-cursor-passes'
  | 'cursor-beside-page'

type Is = (name: ListMutant) => boolean

export interface Order {
  /** Names of the query's invalid parameters. */
  readonly faults: readonly string[]
  readonly sort: string
  readonly after: Position | undefined
}

interface Position {
  readonly list: string
  readonly sort: string
  readonly last: Row
  readonly offset: number
}

/** Parses `sort` and `cursor`. A cursor holds the last record of its page. */
export function readOrder(
  list: string,
  query: URLSearchParams,
  fields: readonly string[],
  is: Is,
): Order {
  const [sort, cursor] = [query.get('sort'), query.get('cursor')]
  const known = ['id', 'created_at', 'updated_at', ...fields]
  const terms = sort?.split(',').map((term) => term.replace(/^-/, '')) ?? []
  const isDistinct = new Set(terms).size === terms.length
  const isSort = isDistinct && terms.every((term) => known.includes(term))
  const after = cursor === null ? undefined : decode(cursor)
  const isFit =
    query.getAll('cursor').length === 1 &&
    after?.list === list &&
    (sort === null || sort === after.sort) &&
    (!query.has('page') || is('cursor-beside-page'))
  return {
    faults: [
      ...(query.getAll('sort').length > 1 || !(isSort || is('any-sort-passes')) ? ['sort'] : []),
      ...(cursor === null || isFit || is('any-cursor-passes') ? [] : ['cursor']),
    ],
    sort: after?.sort ?? sort ?? '-created_at',
    after,
  }
}

/** Returns the page of sorted records after the order's position, and the cursor of the next page. */
export function pageOf<R extends Row>(
  list: string,
  rows: readonly R[],
  { sort, after }: Order,
  { skipped, size, is }: { readonly skipped: number; readonly size: number; readonly is: Is },
) {
  const compare = comparison(is('sort-ignored') ? '-created_at' : sort, is)
  const sorted = [...rows].sort(compare)
  const start = after && is('cursor-is-an-offset') ? after.offset : skipped
  const isAfter = (row: R) => !after || is('cursor-is-an-offset') || compare(row, after.last) > 0
  const rest = sorted.filter(isAfter).slice(start)
  const shown = rest.slice(0, size)
  const last = shown.at(-1)
  const hasMore = rest.length > size || is('cursor-never-ends')
  const position = { list, sort, last, offset: start + size }
  return { shown, next_cursor: hasMore && last ? encode(position) : null }
}

function comparison(sort: string, is: Is) {
  const terms = sort.split(',')
  const isDescending = terms[0]?.startsWith('-') || is('ties-always-descending')
  return (one: Row, two: Row): number => {
    for (const term of [...terms, isDescending ? '-id' : 'id']) {
      const field = term.replace(/^-/, '')
      const [a, b] = [one, two].map(
        (row) => Object.entries(row).find(([key]) => key === field)?.[1],
      )
      const order = typeof a === 'number' ? a - Number(b) : byCodePoint(String(a), String(b))
      if (order === 0) continue
      return term.startsWith('-') ? -order : order
    }
    return 0
  }
}

function byCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

function encode(position: object): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

function decode(cursor: string): Position | undefined {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

const comparisons: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '': (value, bound) => value === bound,
  '[gte]': (value, bound) => value >= bound,
  '[gt]': (value, bound) => value > bound,
  '[lte]': (value, bound) => value <= bound,
  '[lt]': (value, bound) => value < bound,
}

type RangeIs = (
  name: 'gte-excludes' | 'lt-includes' | 'ranges-as-text' | 'any-bound-passes',
) => boolean

/** Returns true if the value meets the query's comparisons of the field. */
export function isInRange(
  value: unknown,
  field: string,
  query: URLSearchParams,
  is: RangeIs,
): boolean {
  return Object.entries(comparisons).every(([suffix, meets]) => {
    const bound = query.get(field + suffix)
    if (bound === null) return true
    if (is('ranges-as-text') && suffix === '[lt]') return String(value) < bound
    if (is('gte-excludes') && suffix === '[gte]') return Number(value) > Number(bound)
    if (is('lt-includes') && suffix === '[lt]') return Number(value) <= Number(bound)
    return meets(Number(value), Number(bound))
  })
}

/** Lists the parameters that compare a field, and those of the query that are invalid. */
export function rangeParameters(field: string, query: URLSearchParams, is: RangeIs) {
  const names = Object.keys(comparisons).map((suffix) => field + suffix)
  const isFit = (values: readonly string[]) =>
    values.length === 0 || (values.length === 1 && /^-?\d+$/.test(values[0] ?? ''))
  const faults = names.filter((name) => !isFit(query.getAll(name)))
  return { names, faults: is('any-bound-passes') ? [] : faults }
}
