import { defineConfig } from 'vitest/config'
import { progress } from './test/stores/kinds/progress.ts'

/** One kind of store, that of STORE_KIND, on its real server: `npm run test:stores` runs them all. */
export default defineConfig({
  test: {
    include: ['test/stores/*.store.ts'],
    // Each starts a server of its own, and some measure their patience.
    fileParallelism: false,
    globalSetup: ['test/generator/cli/build.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    reporters: [
      progress((line) => process.stdout.write(`${line}\n`)),
      ['json', { outputFile: `.cache/stores-${process.env.STORE_KIND}.json` }],
    ],
  },
})
