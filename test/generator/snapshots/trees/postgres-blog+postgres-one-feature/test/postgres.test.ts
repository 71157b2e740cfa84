import { expect, test } from 'vitest'
import { testStores } from './support/stores.js'

// The report shows this test as skipped if no server was given.
test.skipIf(!process.env.TEST_DATABASE_URL)(
  'the suites also run on the server of TEST_DATABASE_URL',
  () => {
    expect(testStores.map(({ name }) => name)).toContain('postgres')
  },
)
