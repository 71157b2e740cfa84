import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from './get-items.js'
import type { Item } from './item.js'
import { idInSortKey } from './keys.js'

/** A filter of entries, as DynamoDB's filter expression. */
export interface Filter {
  expression: string
  names: Readonly<Record<string, string>>
  values: Item
}

/** A query of one partition. `names` are the attributes to read beside the sort key. A response has `limit` entries at most, or as many as the service returns at once. */
interface PageQuery {
  partition: string
  filter?: Filter | undefined
  names?: readonly string[]
  /** Counts the entries without reading them. */
  isCount?: boolean
  limit?: number | undefined
  newestFirst?: boolean
  after?: Item | undefined
}

/** Returns the ids of a partition, oldest first; the first `limit` ids if a limit is given. */
export async function idsIn(table: Table, partition: string, limit?: number): Promise<number[]> {
  const ids: number[] = []
  let after: Item | undefined
  do {
    const left = limit && limit - ids.length
    const page = await queryPage(table, { partition, limit: left, after })
    ids.push(...page.entries.map(idOf))
    after = page.last
  } while (after && (!limit || ids.length < limit))
  return ids
}

/** A range of a partition, newest first. */
interface Range {
  partition: string
  filter?: Filter | undefined
  /**
   * Positions in the partition, from 0: `start` is the first entry of the range, `end` follows the
   * last entry.
   */
  start: number
  end: number
}

/**
 * Returns the ids in a range, and the number of all matching entries. Reads the partition once. Entries after the
 * range are counted, not read. Entries before it too, unless there is a filter: then the number of entries to skip
 * is unknown.
 */
export async function idsInRange(table: Table, { partition, filter, start, end }: Range) {
  const ids: number[] = []
  let position = 0
  let after: Item | undefined
  do {
    const isBefore = !filter && position < start
    const isAfter = position >= end
    const left = isBefore ? start - position : isAfter ? undefined : end - position
    const page = await queryPage(table, {
      partition,
      filter,
      isCount: isBefore || isAfter,
      limit: filter ? undefined : left,
      newestFirst: true,
      after,
    })
    const found = page.entries.map(idOf)
    ids.push(...found.slice(Math.max(0, start - position), Math.max(0, end - position)))
    position += page.count
    after = page.last
  } while (after)
  return { ids, total: position }
}

/** A section of the entries of a partition in any order. */
interface Selection {
  partition: string
  filter?: Filter | undefined
  /** The attributes that the functions need beside the sort key. */
  names: readonly string[]
  /** Whether the entry comes after the position where the section begins. */
  isAfter: (entry: Item) => boolean
  compare: (one: Item, other: Item) => number
  start: number
  end: number
}

/**
 * Returns the ids of a section, and the number of all listed entries. Reads the partition once, as counting does, and
 * keeps only the first `end` entries.
 */
export async function idsInOrder(table: Table, selection: Selection) {
  const { partition, filter, names, isAfter, compare, start, end } = selection
  let first: Item[] = []
  let total = 0
  let after: Item | undefined
  do {
    const page = await queryPage(table, { partition, filter, names, after })
    const listed = page.entries
    total += listed.length
    first = [...first, ...listed.filter(isAfter)].sort(compare).slice(0, end)
    after = page.last
  } while (after)
  return { ids: first.slice(start).map(idOf), total }
}

function idOf({ SK }: Item): number {
  return idInSortKey(String(SK))
}

/** A limit above the number of entries in any response. */
const maxLimit = 1_000_000

async function queryPage({ client, table }: Table, query: PageQuery) {
  const {
    partition,
    filter,
    names = [],
    isCount = false,
    limit,
    newestFirst = false,
    after,
  } = query
  const read = ['SK', ...names]
  const { Items, Count, LastEvaluatedKey } = await client.send(
    new QueryCommand({
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: '#PK = :PK',
      ExpressionAttributeNames: {
        '#PK': 'PK',
        ...(!isCount && Object.fromEntries(read.map((name) => [`#${name}`, name]))),
        ...filter?.names,
      },
      ExpressionAttributeValues: { ':PK': partition, ...filter?.values },
      ScanIndexForward: !newestFirst,
      ...(isCount
        ? { Select: 'COUNT' }
        : { ProjectionExpression: read.map((name) => `#${name}`).join(', ') }),
      ...(filter && { FilterExpression: filter.expression }),
      ...(limit !== undefined && { Limit: Math.min(limit, maxLimit) }),
      ...(after && { ExclusiveStartKey: after }),
    }),
  )
  return {
    entries: Items ?? [],
    count: Count ?? 0,
    last: LastEvaluatedKey,
  }
}
