import { countryDraft } from './samples/country.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { countryTable } from './support/tables/country.table.js'

describeRepository({
  title: 'countries',
  table: countryTable,
  of: (repositories) => repositories.countries,
  draft: countryDraft,
})
