// `npm run test:docker [-- <file>…]`: runs the suites that name no runtime on a Docker engine, one file at a time.
import { dockerSuites } from './docker-suites.mjs'
import { report, runSuite } from './run-suite.mjs'

process.env.TEST_RUNTIME = 'docker'
const asked = process.argv.slice(2)
const unknown = asked.filter((file) => !dockerSuites.includes(file))
if (unknown.length > 0) {
  process.stderr.write(`not in scripts/docker-suites.mjs: ${unknown.join(', ')}\n`)
  process.exit(1)
}
const files = asked.length > 0 ? asked : dockerSuites
const projectOf = (file) => /\.(slow|full)\.test\.ts$/.exec(file)?.[1] ?? 'unit'
const parts = ['unit', 'slow', 'full']
  .map((project) => [project, files.filter((file) => projectOf(file) === project)])
  .filter(([, part]) => part.length > 0)

const runs = parts.map(([project, part]) => runSuite(project, ['--maxWorkers=1', ...part]))
for (const run of runs) report(run)
process.exit(Math.max(...runs.map(({ code }) => code)))
