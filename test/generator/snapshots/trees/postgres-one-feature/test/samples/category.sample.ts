import type { CategoryApi } from '../../src/handlers/category.schema.js'

/** A body that creates one; no two numbers share a value of a unique field. */
export function categorySample(n: number): CategoryApi['create'] {
  return {
    name: `name ${n}`,
    position: n,
    opens: new Date(Date.UTC(2020, 0, n)).toISOString().slice(0, 10),
    price: (n / 100).toFixed(4),
  }
}

/** For each field a value that is refused. */
export const badCategoryFields = {
  name: 1,
  position: 1.5,
  opens: 'no such value',
  price: 'no such value',
}
