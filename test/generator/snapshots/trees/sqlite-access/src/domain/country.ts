export interface Country {
  id: number
  name: string
  createdAt: Date
  updatedAt: Date
}

/** Fields that a caller gives to create a record. */
export type CountryDraft = Omit<Country, 'id' | 'createdAt' | 'updatedAt'>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type CountryChanges = Partial<CountryDraft>
