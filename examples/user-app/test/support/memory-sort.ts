import type { Position, Sort } from '../../src/repositories/repository.js'

const newestFirst: Sort = [{ field: 'createdAt', descending: true }]

/** Returns a comparison of records in the order of a list. Ids break ties, in the direction of the first field. */
export function inOrder(sort: Sort = newestFirst, decimals: readonly string[] = []) {
  return (a: object, b: object): number => {
    for (const { field, descending } of [
      ...sort,
      { field: 'id', descending: sort[0].descending },
    ]) {
      const order = compare(Object(a)[field], Object(b)[field], decimals.includes(field))
      if (order !== 0) return descending ? -order : order
    }
    return 0
  }
}

/** Returns the entry at a position of a list, for a comparison with others. */
export function entryAt({ values, id }: Position, sort: Sort = newestFirst): object {
  const fields = sort.map(({ field }, i) => [field, values[i]])
  return { ...Object.fromEntries(fields), id }
}

/** Compares two values of a field. NULL comes first, and text is in the order of its code points. */
export function compare(a: unknown, b: unknown, isDecimal: boolean): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a !== 'string' || typeof b !== 'string') return Number(a) - Number(b)
  if (isDecimal) return Number(digits(a) - digits(b))
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** Decimals of a field have as many digits after the point, so that their order is that of all their digits. */
function digits(decimal: string): bigint {
  return BigInt(decimal.replace('.', ''))
}

/** Returns for each condition of a range whether the order of a value to the bound meets it. */
export const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  equals: (order) => order === 0,
  gte: (order) => order >= 0,
  gt: (order) => order > 0,
  lte: (order) => order <= 0,
  lt: (order) => order < 0,
}
