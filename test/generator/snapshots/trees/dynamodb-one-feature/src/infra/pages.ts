import { paginateQuery, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Table } from './get-items.js'
import type { Item } from './item.js'
import { idInSortKey } from './keys.js'

/** A filter of entries, as DynamoDB's filter expression. */
export interface Filter {
  expression: string
  names: Readonly<Record<string, string>>
  values: Item
}

/** The entries of a partition that match a filter. */
interface Place {
  partition: string
  filter?: Filter | undefined
}

/** Returns the ids of a partition, oldest first; the first `limit` ids if a limit is given. */
export async function idsIn(
  { client, table }: Table,
  partition: string,
  limit?: number,
): Promise<number[]> {
  const ids: number[] = []
  const query = { ...queryOf(table, { partition }), ProjectionExpression: 'SK' }
  for await (const { Items = [] } of paginateQuery(
    { client, ...(limit && { pageSize: limit }) },
    query,
  )) {
    ids.push(...Items.map(idOf))
    if (limit && ids.length >= limit) break
  }
  return ids.slice(0, limit)
}

/** A part of the entries. Positions begin at 0: `start` is the first entry of the part, `end` follows the last entry. */
interface Range extends Place {
  start: number
  end: number
}

/** A limit above the number of entries in any response. */
const maxLimit = 1_000_000

/**
 * Returns the ids in a range, newest first, and the number of all matching entries. Entries after the range are
 * counted, not read.
 */
export async function idsInRange(
  { client, table }: Table,
  { partition, filter, start, end }: Range,
) {
  const query = { ...queryOf(table, { partition, filter }), ScanIndexForward: false }
  const read = { ...query, ProjectionExpression: 'SK' }
  const ids: number[] = []
  let last: Item | undefined
  // A limit counts the entries before the filter.
  const pageSize = filter ? undefined : Math.min(end, maxLimit)
  for await (const page of paginateQuery({ client, ...(pageSize && { pageSize }) }, read)) {
    ids.push(...(page.Items ?? []).map(idOf))
    last = page.LastEvaluatedKey
    if (ids.length >= end) break
  }
  let total = ids.length
  if (last) {
    const rest = paginateQuery({ client, startingToken: last }, { ...query, Select: 'COUNT' })
    for await (const { Count = 0 } of rest) total += Count
  }
  return { ids: ids.slice(start, end), total }
}

/** A range of the entries of a partition in any order. */
interface Selection extends Range {
  /** The attributes that the functions need beside the sort key. */
  names: readonly string[]
  /** Whether the entry comes after the position where the section begins. */
  isAfter: (entry: Item) => boolean
  compare: (one: Item, other: Item) => number
}

/**
 * Returns the ids of a section, and the number of all listed entries. Reads the partition once, as counting does, and
 * keeps only the first `end` entries.
 */
export async function idsInOrder({ client, table }: Table, selection: Selection) {
  const { names, isAfter, compare, start, end } = selection
  const { ExpressionAttributeNames, ...query } = queryOf(table, selection)
  const read = ['SK', ...names].map((name) => [`#${name}`, name] as const)
  const pages = paginateQuery(
    { client },
    {
      ...query,
      ProjectionExpression: read.map(([placeholder]) => placeholder).join(', '),
      ExpressionAttributeNames: { ...ExpressionAttributeNames, ...Object.fromEntries(read) },
    },
  )
  let first: Item[] = []
  let total = 0
  for await (const { Items = [] } of pages) {
    const listed = Items
    total += listed.length
    first = [...first, ...listed.filter(isAfter)].sort(compare).slice(0, end)
  }
  return { ids: first.slice(start).map(idOf), total }
}

function idOf({ SK }: Item): number {
  return idInSortKey(String(SK))
}

/** Returns the query of the entries, with a consistent read. */
function queryOf(TableName: string, { partition, filter }: Place): QueryCommandInput {
  return {
    TableName,
    ConsistentRead: true,
    KeyConditionExpression: 'PK = :PK',
    ExpressionAttributeValues: { ':PK': partition, ...filter?.values },
    ...(filter && { FilterExpression: filter.expression, ExpressionAttributeNames: filter.names }),
  }
}
