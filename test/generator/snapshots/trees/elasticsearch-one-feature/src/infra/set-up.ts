import { isDeepStrictEqual } from 'node:util'
import { errors, type estypes } from '@elastic/elasticsearch'
import type { Collection } from './collection.js'
import { fillRecords } from './fill-records.js'
import { ownIndexes, propertiesOf } from './mapping.js'
import { schema } from './schema.js'
import type { Store } from './store.js'

type Indexes = Pick<Store, 'client' | 'indexOf'>

const settings: estypes.IndicesIndexSettings = {
  number_of_shards: 1,
  // No replica on a single server.
  auto_expand_replicas: '0-1',
  // Allows lists of any length. The time for a page grows with its number.
  max_result_window: 2 ** 31 - 1,
}

/**
 * Updates the store to src/infra/schema.ts. Idempotent: several processes can run this function at
 * the same time, and the next run completes an interrupted run. Throws if an index or its records
 * do not fit the schema.
 */
export async function setUp(store: Indexes): Promise<void> {
  const own = Object.entries(ownIndexes).map(([name, properties]) =>
    openIndex(store, name, { properties }),
  )
  await Promise.all(own)
  await Promise.all(
    Object.entries(schema).map(([name, collection]) => setUpCollection(store, name, collection)),
  )
}

async function setUpCollection(
  store: Indexes,
  name: string,
  collection: Collection,
): Promise<void> {
  const wanted = { properties: propertiesOf(collection), _meta: { collection } }
  const { _meta } = await openIndex(store, name, wanted)
  const before: Collection | undefined = _meta?.collection
  if (isDeepStrictEqual(before, collection)) return
  await updateMapping(store, name, { properties: wanted.properties })
  await fillRecords(store, name, collection, before)
  await updateMapping(store, name, wanted)
}

/** Creates a missing index, and returns the index's mapping. The app uses an alias, so that the index can be replaced. */
async function openIndex(
  { client, indexOf }: Indexes,
  name: string,
  wanted: estypes.MappingTypeMapping,
): Promise<estypes.MappingTypeMapping> {
  const alias = indexOf(name)
  const mappings = { dynamic: 'strict', ...wanted } as const
  const exists = await client.indices.exists({ index: alias })
  if (!exists) {
    const created = { index: `${alias}-1`, aliases: { [alias]: {} }, settings, mappings }
    await client.indices.create(created).catch(ignoreError('resource_already_exists_exception'))
  }
  const [index] = Object.values(await client.indices.getMapping({ index: alias }))
  return index?.mappings ?? {}
}

async function updateMapping(
  { client, indexOf }: Indexes,
  name: string,
  mapping: estypes.MappingTypeMapping,
) {
  const index = indexOf(name)
  try {
    await client.indices.putMapping({ index, ...mapping })
  } catch (error) {
    if (!(error instanceof errors.ResponseError && error.statusCode === 400)) throw error
    const { reason } = error.body.error
    throw new Error(
      `${index} can't change: ${reason}: copy its documents to a new index (README)`,
      { cause: error },
    )
  }
}

function ignoreError(type: string) {
  return (error: unknown) => {
    if (!(error instanceof errors.ResponseError && error.body?.error?.type === type)) throw error
  }
}
