import { parcelDraft, seedParcelRefs } from './samples/parcel.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { parcelTable } from './support/tables/parcel.table.js'

describeRepository({
  title: 'parcels',
  table: parcelTable,
  of: (repositories) => repositories.parcels,
  seed: seedParcelRefs,
  draft: parcelDraft,
})
