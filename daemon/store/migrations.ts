import { sql as tables } from './migrations/0001-tables.ts'

/** One step of the schema. They are modules and not `.sql` files so that a bundle carries them. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
}

/** In order and without gaps; one that was released is never edited. */
export const migrations: readonly Migration[] = [{ version: 1, name: 'tables', sql: tables }]

export const schemaVersion = migrations.length
