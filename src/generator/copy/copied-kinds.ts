import type { StoreKind } from '../model/store-kinds.ts'

/**
 * The kinds that `strata store --copy` reads and writes. `test/generator/store-copy` copies from SQLite to each of the
 * others, and back. A kind is added together with its test run.
 */
export const copiedKinds: readonly StoreKind[] = [
  'sqlite',
  'postgres-json',
  'mongodb',
  'elasticsearch',
  'dynamodb',
]
