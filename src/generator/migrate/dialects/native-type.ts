import type { Column } from '../tables.ts'

/** Native types of one provider in `schema.prisma`. Without a name, Prisma's default applies. */
export interface NativeNames {
  string(length: number | undefined): string
  readonly text: string
  readonly datetime?: string
  uuid(length: number | undefined): string
  readonly json?: string
}

/** Returns the native type of a column, or `undefined` for Prisma's default. */
export function nativeType({ type, length }: Column, names: NativeNames): string | undefined {
  switch (type.kind) {
    case 'string':
    case 'email':
    case 'enum':
      return names.string(length)
    case 'text':
    case 'datetime':
    case 'json':
      return names[type.kind]
    case 'decimal':
      return `Decimal(${type.precision}, ${type.scale})`
    case 'date':
      return 'Date'
    case 'uuid':
      return names.uuid(length)
    default:
      return undefined
  }
}
