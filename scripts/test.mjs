// `npm test`: runs all fast checks. `npm run test:full` adds the slow suites and the stores.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { recipes } from '../examples/recipes.mjs'
import { report, runSuite, summaryOf } from './run-suite.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
mkdirSync('.cache', { recursive: true })
const lastSeconds = '.cache/npm-test-seconds'
const vitestOptions = process.argv.slice(2)

// The build and the examples come first: later steps run them.
const steps = [
  ['build', ['scripts/build.mjs']],
  ['examples equal what their recipes emit', ['scripts/examples.mjs', '--check']],
  ...recipes.map(({ name }) => [
    `types, lint and tests of examples/${name}`,
    [process.env.npm_execpath, 'run', 'check', '--workspace', name],
  ]),
  ['types', [bin('typescript', 'bin/tsc'), '--noEmit']],
  ['types of the page', [bin('typescript', 'bin/tsc'), '--noEmit', '-p', 'daemon/dashboard/page']],
  ['lint', [bin('@biomejs/biome', 'bin/biome'), 'check']],
]

const startedMs = Date.now()
say(`npm test takes about 10 minutes on two idle cores${previousRun()}`)
steps.forEach(([title, args], at) => {
  sayStep(at + 1, title)
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
})

sayStep(steps.length + 1, 'unit tests: about 9 of the 10 minutes')
const run = runSuite('unit', vitestOptions)
writeFileSync('.cache/summary', summaryOf(run))
if (run.code === 0 && vitestOptions.length === 0) writeFileSync(lastSeconds, `${elapsedSeconds()}`)
report(run)
process.exit(run.code)

function bin(name, path) {
  return fileURLToPath(new URL(`../node_modules/${name}/${path}`, import.meta.url))
}

function previousRun() {
  return existsSync(lastSeconds)
    ? ` (${readFileSync(lastSeconds, 'utf8')} s the last time here)`
    : ''
}

function sayStep(at, title) {
  say(`[${at}/${steps.length + 1}] ${title} (${elapsedSeconds()} s)`)
}

function elapsedSeconds() {
  return Math.round((Date.now() - startedMs) / 1000)
}

function say(line) {
  process.stdout.write(`\n▸ ${line}\n`)
}
