import type { CategoryApi } from '../../client/category.api.js'

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function categorySample(n: number): CategoryApi['create'] {
  return {
    name: `name ${n}`,
    position: n,
    opens: new Date(Date.UTC(2020, 0, n)).toISOString().slice(0, 10),
    price: (n / 100).toFixed(4),
  }
}

/** An invalid value for each field. */
export const badCategoryFields = {
  name: 1,
  position: 1.5,
  opens: 'no such value',
  price: 'no such value',
}
