import type { Country } from '../../../src/domain/country.js'
import type { TableOf } from '../memory-tables.js'

/** Describes countries for the in-memory store. */
export const countryTable: TableOf<Country> = {
  name: 'countries',
}
