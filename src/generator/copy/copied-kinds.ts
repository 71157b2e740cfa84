import type { StoreKind } from '../model/store-kinds.ts'

/**
 * The kinds that `strata store --copy` reads and writes. `test/generator/store-copy` copies from SQLite to each of the
 * others and back, and moves a project through all of them. A kind is added together with its test run.
 */
export const copiedKinds: readonly StoreKind[] = [
  'sqlite',
  'postgres',
  'mysql',
  'postgres-json',
  'mongodb',
  'elasticsearch',
  'dynamodb',
]
