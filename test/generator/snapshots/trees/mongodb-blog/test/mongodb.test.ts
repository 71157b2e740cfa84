import { expect, test } from 'vitest'
import { testStores } from './support/stores.js'

// Shows in the report whether a server was there.
test.skipIf(!process.env.TEST_DATABASE_URL)(
  'the suites run on the server of TEST_DATABASE_URL too',
  () => {
    expect(testStores.map(({ name }) => name)).toContain('mongodb')
  },
)
