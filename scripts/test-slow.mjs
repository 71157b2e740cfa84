// `npm run test:slow [-- <file>…]`: runs the suites that take minutes, in Vitest's projects `slow` and `slow-docker`.
import { report, runSuite } from './run-suite.mjs'

const run = runSuite('slow*', process.argv.slice(2))
report(run)
process.exit(run.code)
