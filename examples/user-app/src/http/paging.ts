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
import { singleValue, type WithRanges, withRanges } from './filters.js'
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
    page: wholeNumber(Number.MAX_SAFE_INTEGER).optional().meta({ default: 1 }),
    page_size: wholeNumber(100).default(20),
    sort: sortOf(Object.keys(fields)).optional(),
    cursor: cursorOf(name, camelKeys(fields)).optional(),
  })
  const parameters = z.strictObject({ ...paging.shape, ...filters })
  const toPage = parameters.transform((parsed, context) => {
    const { page, page_size, sort, cursor, ...rest } = parsed as z.output<typeof paging>
    if (cursor && (page !== undefined || (sort && textOf(sort) !== textOf(cursor.sort)))) {
      const message = 'must be given without page, and with the sort of its list'
      context.addIssue({ code: 'custom', path: ['cursor'], message })
    }
    const filter = camelKeys(withRanges(rest, filters))
    return { ...filter, page: page ?? 1, pageSize: page_size, sort, ...cursor } as Page as Page &
      FilterOf<Filters>
  })
  return {
    /** The schemas of the query parameters. */
    parameters,

    /** Parses a query. Throws AppError `invalid`, which names every invalid parameter. */
    parse: ({ query }: Request) => parse(toPage, query),

    /** Returns the body of a response. */
    answer<Row extends Stored>(
      { page, pageSize, sort = newestFirst }: Page,
      { rows, total, hasMore }: Listing<Row>,
      toWire: (row: Row) => object,
    ) {
      const last = rows.at(-1)
      const next_cursor = hasMore && last ? printCursor(name, sort, last) : null
      return { [name]: rows.map(toWire), total, page, page_size: pageSize, next_cursor }
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

function wholeNumber(max: number) {
  return singleValue()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(1).max(max))
}

function instant() {
  return z.iso
    .datetime()
    .refine((at) => at >= '0001')
    .transform((at) => new Date(at))
}

/** Parses `field,-field` to a sort by distinct fields. */
function sortOf(names: readonly string[]) {
  const field = `-?(${names.join('|')})`
  const pattern = `^${field}(,${field})*$`
  const message = `must list fields, each once and with - to sort descending: ${names.join(', ')}`
  return singleValue()
    .regex(new RegExp(pattern), message)
    .transform((text) => text.split(',').map(sortFieldOf) as [SortField, ...SortField[]])
    .refine((sort) => new Set(sort.map((each) => each.field)).size === sort.length, message)
    .meta({
      pattern,
      description: `${message}. Ids break ties, in the direction of the first field.`,
    })
}

function sortFieldOf(term: string): SortField {
  return { field: camelKey(term.replace('-', '')), descending: term.startsWith('-') }
}

function textOf(sort: Sort): string {
  return sort.map(({ field, descending }) => (descending ? `-${field}` : field)).join()
}

/** Returns the cursor of the records after `last`: base64url of JSON. */
function printCursor(list: string, sort: Sort, last: Stored): string {
  const row = new Map<string, unknown>(Object.entries(last))
  const values = sort.map(({ field }) => row.get(field))
  return Buffer.from(JSON.stringify([list, textOf(sort), last.id, ...values])).toString('base64url')
}

/** Parses a cursor. Clients can forge it, so each value must have the type of its field. */
function cursorOf(list: string, fields: Sortable) {
  const schema = z.tuple([z.literal(list), sortOf(Object.keys(fields)), z.int32()], z.unknown())
  return singleValue()
    .transform((text, context): { sort: Sort; after: Position } => {
      try {
        const json: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
        const [, sort, id, ...values] = schema.parse(json)
        const parsed = sort.map(({ field }, i) => (fields[field] ?? z.never()).parse(values[i]))
        return { sort, after: { values: parsed, id } }
      } catch {
        context.addIssue('is not a cursor of this list')
        return z.NEVER
      }
    })
    .meta({ description: 'next_cursor of the last page, instead of page' })
}
