// Everything that must hold before a change lands, but what takes minutes (see .ci/run).
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { recipes } from '../examples/recipes.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
mkdirSync('.cache', { recursive: true })
const report = '.cache/vitest.json'

// The examples are built first: what follows boots them.
run('build', ['scripts/build.mjs'])
run('the examples are what their recipes emit', ['scripts/examples.mjs', '--check'])
for (const { name } of recipes)
  npm(`types, lint and tests of examples/${name}`, ['run', 'check', '--workspace', name])
run('types', [bin('typescript', 'bin/tsc'), '--noEmit'])
run('lint', [bin('@biomejs/biome', 'bin/biome'), 'check'])
const status = spawnSync(
  process.execPath,
  [
    bin('vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${report}`,
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
).status

const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
const summary = `${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`
writeFileSync('.cache/summary', summary)
process.stdout.write(`\n${summary}\n`)
process.exit(status ?? 1)

function bin(name, path) {
  return fileURLToPath(new URL(`../node_modules/${name}/${path}`, import.meta.url))
}

function npm(title, args) {
  run(title, [process.env.npm_execpath, ...args])
}

function run(title, args) {
  process.stdout.write(`\n▸ ${title}\n`)
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
