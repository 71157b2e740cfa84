import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type StoreKind, storeKinds } from '../../../src/generator/model/store-kinds.ts'
import { availableKinds } from '../../../src/generator/stores/stores.ts'
import { atMost } from '../../support/apps/at-most.ts'
import { setup as buildStrata } from '../../support/generator/build.ts'
import { failedFiles, hasFailed, joined, type Row, rowOf, rowWithout } from './report.ts'
import { tableOf } from './table.ts'

/** `npm run test:stores [-- <kind>…]`: runs the store suites on a real server of each kind, two kinds at a time. */

const root = fileURLToPath(new URL('../../../', import.meta.url))
const summary = '.cache/stores-summary.txt'

/** Each kind waits half of its time, so two kinds keep two cores busy. */
const kindsAtOnce = 2

/** Files of a kind that fail run once more (ADR 89). More failures than this are no accident. */
const mostFilesAgain = 2

process.exitCode = await main(process.argv.slice(2))

/** Returns the exit code: 0 if nothing failed, 1 if something failed, 2 for bad usage. */
async function main(asked: readonly string[]): Promise<number> {
  const unknown = asked.find((name) => !storeKinds.some((kind) => kind === name))
  if (unknown !== undefined) {
    process.stderr.write(`unknown store kind ${unknown}: expected ${storeKinds.join(', ')}\n`)
    return 2
  }
  const kinds = storeKinds.filter((kind) => asked.length === 0 || asked.includes(kind))
  process.chdir(root)
  mkdirSync('.cache', { recursive: true })
  await install(kinds)
  buildStrata()
  const rows = await runKinds(kinds)
  const table = tableOf(rows)
  writeFileSync(summary, table)
  process.stdout.write(`\n${table}`)
  return rows.some(hasFailed) ? 1 : 0
}

/**
 * Installs missing servers. Prints the servers that cannot be installed; their tests are skipped.
 */
async function install(kinds: readonly StoreKind[]): Promise<void> {
  const servers = kinds
    .filter((kind) => process.env[`TEST_${kind.replace('-', '_').toUpperCase()}_URL`] === undefined)
    .map((kind) => (kind === 'postgres-json' ? 'postgres' : kind))
    .filter((kind) => kind !== 'sqlite')
  if (servers.length === 0) return
  process.stdout.write('installing test servers:\n')
  await ended(node(['test/stores/servers/install.mjs', ...new Set(servers)]), '')
}

/** Starts with the last kinds, which take longest. Returns the rows in the order of `kinds`. */
async function runKinds(kinds: readonly StoreKind[]): Promise<readonly Row[]> {
  const inTurn = atMost(kindsAtOnce)
  const running = kinds.toReversed().map((kind) => inTurn(() => runKind(kind)))
  return (await Promise.all(running)).reverse()
}

async function runKind(kind: StoreKind): Promise<Row> {
  if (!availableKinds.includes(kind)) return rowWithout(kind, 'can not be generated yet')
  const startedMs = Date.now()
  const run = await attempt(kind, [])
  const again = run.code === 0 ? [] : failedFiles(run.report)
  if (again.length > 0 && again.length <= mostFilesAgain) {
    process.stdout.write(`${kind}\t▸ once more: ${again.join(', ')}\n`)
    const { code, report } = await attempt(kind, again)
    run.code = code
    run.report = joined(run.report, report)
  }
  const seconds = Math.round((Date.now() - startedMs) / 1000)
  return rowOf(kind, { ...run, seconds })
}

/** Runs the suites of a kind, or only the files that are named. */
async function attempt(kind: StoreKind, files: readonly string[]) {
  const path = `.cache/stores-${kind}.json`
  rmSync(path, { force: true })
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project=stores', ...files]
  const code = await ended(node(vitest, { STORE_KIND: kind }), `${kind}\t`)
  return { code, report: existsSync(path) ? readFileSync(path, 'utf8') : undefined }
}

function node(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, ...settings }
  return spawn(process.execPath, args, { stdio: ['inherit', 'pipe', 'pipe'], env })
}

type Piped = ChildProcessByStdio<null, Readable, Readable>

/** Prints each output line with a prefix. Returns the exit code. */
async function ended(child: Piped, whose: string): Promise<number> {
  for (const output of [child.stdout, child.stderr]) {
    createInterface(output).on('line', (line) => process.stdout.write(`${whose}${line}\n`))
  }
  const [code] = await once(child, 'close')
  return typeof code === 'number' ? code : 1
}
