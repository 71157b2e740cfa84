import { defineConfig } from 'vitest/config'
import { MutantsFirst } from './test/support/mutants-first.ts'

/** What takes minutes: `.ci/run` runs it, `npm test` does not. */
export default defineConfig({
  test: {
    include: ['test/**/*.slow.test.ts'],
    globalSetup: ['test/support/generator/build.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    // Most of the time they wait for processes that they started.
    maxWorkers: 2,
    sequence: { sequencer: MutantsFirst },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
