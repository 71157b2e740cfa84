import type { Repositories } from '../../src/container.js'
import { createMemoryRepository } from './memory-repository.js'
import { createMemoryTables } from './memory-tables.js'
import { categoryTable } from './tables/category.table.js'
import { labelTable } from './tables/label.table.js'
import { orderLineTable } from './tables/order-line.table.js'
import { productTable } from './tables/product.table.js'

export function createMemoryRepositories(tables = createMemoryTables()): Repositories {
  return {
    labels: createMemoryRepository(tables, labelTable),
    categories: createMemoryRepository(tables, categoryTable),
    products: createMemoryRepository(tables, productTable),
    orderLines: createMemoryRepository(tables, orderLineTable),
  }
}
