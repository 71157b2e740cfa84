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

/** The libraries that can run the queries of a relational kind, the default first. */
export const orms = ['prisma', 'kysely'] as const

/** The kinds that each library supports. */
export const ormKinds: Readonly<Record<(typeof orms)[number], readonly StoreKind[]>> = {
  prisma: ['sqlite', 'postgres', 'mysql', 'sqlserver'],
  kysely: ['sqlite', 'postgres'],
}
