export interface Parcel {
  id: number
  orderLineId: number
  orderLine: { id: number }
  code: string
  createdAt: Date
  updatedAt: Date
}

/** Fields that a caller gives to create a record. */
export type ParcelDraft = Omit<Parcel, 'id' | 'createdAt' | 'updatedAt' | 'orderLine'>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type ParcelChanges = Partial<ParcelDraft>

/** Conditions of a list. Undefined matches every record. */
export interface ParcelFilter {
  orderLineId?: number | undefined
  /** Only records that this user may see. */
  visibleTo?: number | undefined
}
