export const labelHueValues = ['red', 'blue'] as const

export interface Label {
  id: number
  name: string
  hue: (typeof labelHueValues)[number]
  createdAt: Date
  updatedAt: Date
}

/** What a caller gives to make one. */
export type LabelDraft = Omit<Label, 'id' | 'createdAt' | 'updatedAt'>

/** What a caller may change; a field that is left out stays as it is. */
export type LabelChanges = Partial<LabelDraft>
