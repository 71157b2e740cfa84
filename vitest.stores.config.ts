import { defineConfig } from 'vitest/config'
import { progress } from './test/stores/kinds/progress.ts'

const kind = process.env.STORE_KIND

/** One kind of store, that of STORE_KIND, on its real server: `npm run test:stores` runs them all. */
export default defineConfig({
  test: {
    // A kind may have some of its own.
    include: ['test/stores/*.store.ts', `test/stores/${kind}/*.store.ts`],
    // Each starts a server of its own, and some measure their patience.
    fileParallelism: false,
    globalSetup: ['test/support/generator/build.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: [
      progress((line) => process.stdout.write(`${line}\n`)),
      ['json', { outputFile: `.cache/stores-${kind}.json` }],
    ],
  },
})
