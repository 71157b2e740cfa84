import { expect, test } from 'vitest'
import { testStores } from './support/stores.js'

// Without TEST_DATABASE_URL, the report shows this test as skipped.
test.skipIf(!process.env.TEST_DATABASE_URL)(
  'the suites also run on the server of TEST_DATABASE_URL',
  () => {
    expect(testStores.map(({ name }) => name)).toContain('postgres')
  },
)
