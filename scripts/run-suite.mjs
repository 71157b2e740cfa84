// Runs a project of vitest.config.ts. Files that fail run once more, one at a time (ADR 89).
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))

/** A change that breaks something usually breaks more files than this; busy machines rarely do. */
const mostFilesAgain = 5

/**
 * Runs the tests of a project, or of the projects that match a pattern such as `slow*`. `options` go to Vitest. Returns the
 * exit code, the results of the tests by their last attempt, and the names of the tests that failed at first and then passed.
 */
export function runSuite(project, options = []) {
  mkdirSync(`${root}/.cache`, { recursive: true })
  const first = attempt(project, options)
  const again = failedFiles(first)
  if (first.code === 0 || again.length === 0 || again.length > mostFilesAgain) {
    return { code: first.code, tests: testsOf(first), flaky: [] }
  }
  process.stdout.write(`\n▸ once more, one file at a time: ${again.join(', ')}\n`)
  const second = attempt(project, ['--maxWorkers=1', ...again])
  const kept = first.files.filter(({ name }) => !again.includes(relative(root, name)))
  const passed = new Set(testsOf(second).filter(isPassed).map(keyOf))
  const flaky = testsOf(first).filter((test) => test.status === 'failed' && passed.has(keyOf(test)))
  return {
    code: second.code,
    tests: [...testsOf({ files: kept }), ...testsOf(second)],
    flaky: flaky.map(keyOf),
  }
}

/** Returns the counts of a run as a line, for example `12 passed, 0 failed, 1 skipped`. */
export function summaryOf({ tests, flaky }) {
  const count = (status) => tests.filter((test) => test.status === status).length
  const passed = count('passed')
  const failed = count('failed')
  const skipped = tests.length - passed - failed
  const again = flaky.length === 0 ? '' : ` (${flaky.length} only at the second attempt)`
  return `${passed} passed${again}, ${failed} failed, ${skipped} skipped`
}

/** Prints the tests that passed only at the second attempt, and the summary as the last line. */
export function report(run) {
  for (const name of run.flaky) process.stdout.write(`\nfailed at first, then passed: ${name}\n`)
  process.stdout.write(`\n${summaryOf(run)}\n`)
}

function attempt(project, options) {
  const path = `${root}/.cache/vitest-${project.replace('*', '')}.json`
  rmSync(path, { force: true })
  const reporters = ['default', 'json', './test/support/progress-reporter.ts']
  const args = [
    vitest,
    'run',
    `--project=${project}`,
    ...reporters.map((name) => `--reporter=${name}`),
    `--outputFile.json=${path}`,
    ...options,
  ]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', cwd: root })
  return { code: status ?? 1, files: filesOf(path) }
}

/** Returns the files of a report, or none if Vitest wrote no report. */
function filesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).testResults
  } catch {
    return []
  }
}

function failedFiles({ files }) {
  return files.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name))
}

function testsOf({ files }) {
  return files.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({
      file: relative(root, name),
      fullName,
      status,
    })),
  )
}

function isPassed({ status }) {
  return status === 'passed'
}

function keyOf({ file, fullName }) {
  return `${file} > ${fullName}`
}
