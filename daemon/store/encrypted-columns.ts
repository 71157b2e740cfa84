import type { Sealed } from '../domain/records.ts'
import type { Schema } from './schema.ts'

/** A column whose values the vault has encrypted. */
export interface EncryptedColumn {
  readonly table: EncryptedTable
  readonly column: string
}

type EncryptedNames<Table> = {
  [Column in keyof Table]-?: Exclude<Table[Column], null> extends Sealed ? Column : never
}[keyof Table]
type EncryptedTable = {
  [Name in keyof Schema]: EncryptedNames<Schema[Name]> extends never ? never : Name
}[keyof Schema]

/** The type fails to compile if an encrypted column of the schema is missing here. */
const columns: {
  readonly [Name in EncryptedTable]: Readonly<Record<EncryptedNames<Schema[Name]>, true>>
} = {
  projects: { git_token: true, webhook_secret: true },
  secrets: { value: true },
  nodes: { tls_key: true },
  branch_databases: { password: true },
  domains: { certificate_key: true },
  acme_accounts: { account_key: true },
  receivers: { secret: true },
}

/** Key rotation re-encrypts these columns, and backup validation decrypts them. */
export const encryptedColumns: readonly EncryptedColumn[] = Object.entries(columns).flatMap(
  ([table, names]) =>
    Object.keys(names).map((column) => ({ table: table as EncryptedTable, column })),
)
