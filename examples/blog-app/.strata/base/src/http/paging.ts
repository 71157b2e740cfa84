import type { Request } from 'express'
import * as z from 'zod'
import type {
  Listing,
  Page,
  Position,
  Sort,
  SortField,
  SortValue,
  Stored,
} from '../repositories/repository.js'
import { type CamelKeys, camelKey, camelKeys } from './camel-keys.js'
import { type WithRanges, withRanges } from './filters.js'
import { parse } from './parse.js'

/** Fields that sort a list by their names in JSON, and the schemas of their values. */
type Sortable = Readonly<Record<string, z.ZodType<SortValue>>>

/** Fields of every record. */
const managed: Sortable = { id: z.int32(), created_at: instant(), updated_at: instant() }

const newestFirst: Sort = [{ field: 'createdAt', descending: true }]

/**
 * Creates the list of the records `name`, with the filters and the fields that sort it. Refuses other query
 * parameters: a misspelled filter would list all records.
 */
export function listOf<Filters extends z.ZodRawShape>(
  name: string,
  filters: Filters,
  sortable: Sortable = {},
) {
  const fields = { ...managed, ...sortable }
  const paging = z.object({
    page: wholeNumber(Number.MAX_SAFE_INTEGER).optional(),
    page_size: wholeNumber(100).default(20),
    sort: sortParameter(Object.keys(fields)).optional(),
    cursor: cursorParameter(name, fields).optional(),
  })
  const parameters = z.strictObject({ ...paging.shape, ...filters }, { error: unknownParameter })
  const toPage = parameters.transform((parsed, context) => {
    const { page, page_size, sort, cursor, ...rest } = parsed as z.output<typeof paging>
    if (cursor && (page !== undefined || (sort && printSort(sort) !== printSort(cursor.sort)))) {
      const message = 'must be given without page, and with the sort of its list'
      context.addIssue({ code: 'custom', path: ['cursor'], message })
    }
    const filter = camelKeys(withRanges(rest, filters))
    return { ...filter, page: page ?? 1, pageSize: page_size, sort, ...cursor } as Page as Page &
      FilterOf<Filters>
  })
  return {
    /** Names of the fields that sort the list. */
    sortable: Object.keys(fields),

    /** Parses a query. Throws AppError `invalid`, which names every invalid parameter. */
    parse: ({ query }: Request) => parse(toPage, query),

    /** Returns the body of a response. */
    answer<Row extends Stored>(
      { page, pageSize, sort = newestFirst }: Page,
      { rows, total, hasMore }: Listing<Row>,
      toWire: (row: Row) => object,
    ) {
      const last = rows.at(-1)
      return {
        [name]: rows.map(toWire),
        total,
        page,
        page_size: pageSize,
        next_cursor: hasMore && last ? printCursor(name, sort, last) : null,
      }
    },
  }
}

/** Fields of every list in a reply, besides its rows. */
export const pageFields = {
  total: z.int(),
  page: z.int(),
  page_size: z.int(),
  next_cursor: z.string().nullable(),
}

/** The type of the filters in the domain. */
type FilterOf<Filters extends z.ZodRawShape> = CamelKeys<WithRanges<z.output<z.ZodObject<Filters>>>>

function unknownParameter({ code }: { code: string }) {
  return code === 'unrecognized_keys' ? 'is not a parameter of this list' : undefined
}

function singleValue() {
  return z.string({ error: 'must be given once' })
}

function wholeNumber(max: number) {
  return singleValue()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, `must be from 1 to ${max}`)
}

function instant() {
  return z.iso
    .datetime()
    .refine((at) => at >= '0001')
    .transform((at) => new Date(at))
}

/** Parses `field,-field` to a sort by distinct fields. */
function sortParameter(names: readonly string[]) {
  const message = `must list fields, each once and with - to sort descending: ${names.join(', ')}`
  return singleValue()
    .regex(sortPattern(names), message)
    .transform((text) => text.split(',').map(sortFieldOf) as [SortField, ...SortField[]])
    .refine(isDistinct, message)
}

/** Matches `field,-field`. */
export function sortPattern(names: readonly string[]): RegExp {
  const field = `-?(${names.join('|')})`
  return new RegExp(`^${field}(,${field})*$`)
}

function sortFieldOf(term: string): SortField {
  return { field: camelKey(term.replace('-', '')), descending: term.startsWith('-') }
}

/** Parses a cursor. Clients can forge it, so each value must have the type of its field. */
function cursorParameter(list: string, sortable: Sortable) {
  const terms = Object.entries(camelKeys(sortable)).map(([field, value]) =>
    z.object({ field: z.literal(field), descending: z.boolean(), value }),
  )
  const term = z.union(terms)
  const schema = z.object({
    list: z.literal(list),
    sort: z.tuple([term], term).refine(isDistinct),
    id: z.int32(),
  })
  return singleValue().transform((text, context): { sort: Sort; after: Position } => {
    const { data } = schema.safeParse(decode(text))
    if (data)
      return {
        sort: data.sort,
        after: { values: data.sort.map(({ value }) => value), id: data.id },
      }
    context.addIssue('is not a cursor of this list')
    return z.NEVER
  })
}

function isDistinct(sort: Sort): boolean {
  return new Set(sort.map(({ field }) => field)).size === sort.length
}

function printSort(sort: Sort): string {
  return sort.map(({ field, descending }) => (descending ? `-${field}` : field)).join()
}

/** Returns the cursor of the records after `last`: base64url of JSON. */
function printCursor(list: string, sort: Sort, last: Stored): string {
  const row = new Map<string, unknown>(Object.entries(last))
  const terms = sort.map(({ field, descending }) => ({ field, descending, value: row.get(field) }))
  return Buffer.from(JSON.stringify({ list, sort: terms, id: last.id })).toString('base64url')
}

/** Returns undefined if the text is no base64url of JSON. */
function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
