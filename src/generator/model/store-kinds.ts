/** The store kinds, in the order in which messages list them. */
export const storeKinds = [
  'sqlite',
  'postgres',
  'postgres-json',
  'mysql',
  'sqlserver',
  'mongodb',
  'elasticsearch',
  'dynamodb',
] as const

export type StoreKind = (typeof storeKinds)[number]
