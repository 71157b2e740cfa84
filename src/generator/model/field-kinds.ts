/** The scalar field types, in the order in which messages list them. */
export const fieldKinds = [
  'string',
  'text',
  'int',
  'uint',
  'bool',
  'float',
  'decimal',
  'date',
  'datetime',
  'uuid',
  'json',
  'email',
  'enum',
] as const

export type FieldKind = (typeof fieldKinds)[number]

/** The field types that `?search=` can read. */
export const searchableKinds: ReadonlySet<FieldKind> = new Set(['string', 'text', 'email'])
