import type { Parcel, ParcelDraft, ParcelFilter } from '../domain/parcel.js'
import type { Repository } from './repository.js'

type Records = Repository<Parcel, ParcelDraft, ParcelFilter>

export interface ParcelRepository extends Records {
  /** Returns the id of the customer of the order of the order line without reading the parcel. Undefined if the parcel does not exist. */
  owner(id: number): Promise<number | undefined>
}
