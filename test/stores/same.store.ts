import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, test } from 'vitest'
import * as z from 'zod'
import { availableKinds } from '../../src/generator/stores/stores.ts'
import { bootApp } from '../support/apps/boot.ts'
import { built } from './emitted-app.ts'
import type { Kind } from './kinds/kind.ts'
import { startKind } from './kinds/kinds.ts'
import { startSqlite } from './kinds/sqlite.ts'
import { cases } from './same/cases.ts'
import { createPair, type Pair, type Side } from './same/pair.ts'
import { emitProject, inMemoryArgv } from './same/project.ts'
import { sequences } from './same/steps.ts'
import '../support/fixed-seed.ts'

const kind = z.enum(availableKinds).parse(process.env.STORE_KIND)
const store = await startKind(kind)

/**
 * The number of random request sequences. `SAME_RUNS=1000` tests more sequences,
 * `PROPERTY_SEED=<n>` tests other sequences.
 */
const numRuns = Number(process.env.SAME_RUNS ?? 40)

/** The maximum number of requests in a sequence, after the requests that create the first records. */
const longest = 30

/** Time limit (ms) for all sequences, including the shrinking of a failing sequence. */
const interruptAfterTimeLimit = 60_000 + numRuns * 2_000

if ('skipped' in store) {
  const { skipped } = store
  test('answers equal those of SQLite', (context) => {
    context.task.meta.reason = skipped
    context.skip(skipped)
  })
} else describe(`${store.name} and SQLite`, () => describeSame(store))

function describeSame(store: Kind): void {
  const folder = mkdtempSync(join(tmpdir(), `strata-same-${kind}-`))
  let reference: Kind
  let pair: Pair

  beforeAll(async () => {
    reference = await startSqlite()
    const sqlite = await emitProject(folder, 'sqlite')
    const other =
      kind === 'sqlite' ? inMemory(sqlite) : sideOf(store, await emitProject(folder, kind))
    pair = createPair(sideOf(reference, sqlite), other)
  })
  afterAll(async () => {
    await pair?.stop()
    await reference?.stop()
    await store.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  function sideOf({ name, freshDatabase }: Kind, root: string): Side {
    const boot = async () => {
      const env = { DATABASE_URL: await freshDatabase(), LOG_LEVEL: 'error' }
      return bootApp({ folder: root, argv: built, env })
    }
    return { name, boot }
  }

  const others = kind === 'sqlite' ? 'the in-memory adapters of the tests' : 'SQLite'
  test.for(cases)(`answers equal those of ${others} for %s`, async ([, steps]) => {
    await pair.compare(steps)
  })

  const timeout = interruptAfterTimeLimit + 60_000
  test(`answers equal those of ${others} for random request sequences`, { timeout }, async () => {
    const property = fc.asyncProperty(sequences({ longest }), async (steps) => {
      await pair.compare(steps)
    })
    const { failed, errorInstance, seed } = await fc.check(property, {
      numRuns,
      interruptAfterTimeLimit,
    })
    if (!failed) return
    const said = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
    throw new Error(`${said}\n(PROPERTY_SEED=${seed})`)
  })
}

function inMemory(root: string): Side {
  return { name: 'memory', boot: () => bootApp({ folder: root, argv: inMemoryArgv }) }
}
