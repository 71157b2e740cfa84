import { defineConfig } from 'vitest/config'
import { progress } from './test/stores/kinds/progress.ts'
import { MutantsFirst } from './test/support/mutants-first.ts'

/** The store kind under test, if `npm run test:stores` runs one. */
const kind = process.env.STORE_KIND

const globalSetup = ['test/support/generator/build.ts', 'test/support/stratad/shared-engine.ts']
const shared = { globalSetup, exclude: ['**/node_modules/**'] }
const dockerTests = 'test/docker/**/*.slow.test.ts'
const setupFiles = ['test/support/fixed-seed.ts']

/**
 * Projects, selected with `--project`: `unit` (`npm test`), `slow` and `slow-docker` (`npm run test:slow`), `stores`
 * (`npm run test:stores`) and `full`, the suites that only `npm run test:full` runs, because they find least for their time.
 */
export default defineConfig({
  test: {
    // Most tests wait for child processes, so more workers than cores would help, but 2 keep memory low.
    maxWorkers: 2,
    // Store suites start a server each and measure waiting times: one file at a time.
    fileParallelism: kind === undefined,
    sequence: { sequencer: MutantsFirst },
    ...(kind && {
      reporters: [
        progress((line) => process.stdout.write(`${line}\n`)),
        ['json', { outputFile: `.cache/stores-${kind}.json` }],
      ],
    }),
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['src/**/*.test.ts', 'daemon/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [
            ...shared.exclude,
            '**/*.{slow,full}.test.ts',
            'test/generator/snapshots/trees/**',
          ],
          setupFiles,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'slow',
          include: ['test/**/*.slow.test.ts'],
          exclude: [...shared.exclude, dockerTests],
          setupFiles,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'slow-docker',
          include: [dockerTests],
          // An engine that starts removes the firewall rules of the others on this host.
          fileParallelism: false,
          setupFiles,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'full',
          include: ['test/**/*.full.test.ts'],
          setupFiles,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'stores',
          include: ['test/stores/*.store.ts', `test/stores/${kind}/*.store.ts`],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
})
