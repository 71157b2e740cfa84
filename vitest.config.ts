import { defineConfig } from 'vitest/config'
import { MutantsFirst } from './test/support/mutants-first.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'daemon/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/*.slow.test.ts', '**/node_modules/**', 'test/generator/snapshots/trees/**'],
    globalSetup: ['test/support/generator/build.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    // Most of the time they wait for processes that they started.
    maxWorkers: 2,
    sequence: { sequencer: MutantsFirst },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
