import type { Repositories } from '../../src/container.js'
import { createMemoryRepository } from './memory-repository.js'
import { createMemoryTables } from './memory-tables.js'
import { createMemoryUsers } from './memory-users.js'
import { countryTable } from './tables/country.table.js'
import { memoTable } from './tables/memo.table.js'
import { orderTable } from './tables/order.table.js'
import { orderLineTable } from './tables/order-line.table.js'
import { parcelTable } from './tables/parcel.table.js'
import { reportTable } from './tables/report.table.js'
import { sectionTable } from './tables/section.table.js'

export function createMemoryRepositories(tables = createMemoryTables()): Repositories {
  return {
    users: createMemoryUsers(tables),
    countries: createMemoryRepository(tables, countryTable),
    orders: createMemoryRepository(tables, orderTable),
    orderLines: createMemoryRepository(tables, orderLineTable),
    parcels: createMemoryRepository(tables, parcelTable),
    memos: createMemoryRepository(tables, memoTable),
    reports: createMemoryRepository(tables, reportTable),
    sections: createMemoryRepository(tables, sectionTable),
  }
}
