export const labelHueValues = ['red', 'blue'] as const

export interface Label {
  id: number
  name: string
  hue: (typeof labelHueValues)[number]
  createdAt: Date
  updatedAt: Date
}

/** Fields that a caller gives to create a record. */
export type LabelDraft = Omit<Label, 'id' | 'createdAt' | 'updatedAt'>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type LabelChanges = Partial<LabelDraft>

/** Conditions of a list. Undefined matches every record. */
export interface LabelFilter {
  hue?: (typeof labelHueValues)[number] | undefined
}
