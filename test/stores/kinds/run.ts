import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type StoreKind, storeKinds } from '../../../src/generator/model/model.ts'
import { availableKinds } from '../../../src/generator/stores/stores.ts'
import { hasFailed, type Row, rowOf, rowWithout } from './report.ts'
import { tableOf } from './table.ts'

/** `npm run test:stores [-- <kind>…]`: all that runs on a store, on a real server of each kind, one after another. */

const root = fileURLToPath(new URL('../../../', import.meta.url))
const summary = '.cache/stores-summary.txt'

process.exitCode = main(process.argv.slice(2))

/** Exit code: 0 nothing failed, 1 something did, 2 bad usage. */
function main(asked: readonly string[]): number {
  const unknown = asked.find((name) => !storeKinds.some((kind) => kind === name))
  if (unknown !== undefined) {
    process.stderr.write(`${unknown} is no kind of store: take some of ${storeKinds.join(', ')}\n`)
    return 2
  }
  const kinds = storeKinds.filter((kind) => asked.length === 0 || asked.includes(kind))
  process.chdir(root)
  mkdirSync('.cache', { recursive: true })
  install(kinds)
  const rows = kinds.map(runKind)
  const table = tableOf(rows)
  writeFileSync(summary, table)
  process.stdout.write(`\n${table}`)
  return rows.some(hasFailed) ? 1 : 0
}

/** What can't be had is told here, and skipped by the tests. */
function install(kinds: readonly StoreKind[]): void {
  const servers = kinds
    .filter((kind) => process.env[`TEST_${kind.replace('-', '_').toUpperCase()}_URL`] === undefined)
    .map((kind) => (kind === 'postgres-json' ? 'postgres' : kind))
    .filter((kind) => kind !== 'sqlite' && kind !== 'sqlserver')
  if (servers.length === 0) return
  process.stdout.write('the servers:\n')
  node(['test/stores/servers/install.mjs', ...new Set(servers)])
}

function runKind(kind: StoreKind): Row {
  if (!availableKinds.includes(kind)) return rowWithout(kind, 'can not be generated yet')
  process.stdout.write(`\n${kind}:\n`)
  const path = `.cache/stores-${kind}.json`
  rmSync(path, { force: true })
  const startedMs = Date.now()
  const code = node(
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.stores.config.ts'],
    { STORE_KIND: kind },
  )
  const seconds = Math.round((Date.now() - startedMs) / 1000)
  const report = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  return rowOf(kind, { report, code, seconds })
}

function node(args: readonly string[], settings: Readonly<Record<string, string>> = {}): number {
  const env = { ...process.env, ...settings }
  return spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1
}
