import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atMost } from './at-most.ts'
import type { Program } from './launcher.ts'
import { type MutantCopy, type SourceMutant, snapshotOf } from './mutant-copy.ts'
import { type Checks, failureOf } from './mutant-run.ts'
import { prepareApp } from './prepare.ts'

export interface Mutated {
  readonly program: Program
  /** ReleaseFolders in which copies of the program find their packages. */
  readonly modules: readonly [own: string, root: string]
  readonly checks: Checks
}

/** Registers a test for each mutant: its named check must fail on it. */
export function describeMutants(
  title: string,
  mutants: readonly SourceMutant[],
  { program, modules, checks }: Mutated,
): void {
  describe(title, () => {
    const inTurn = atMost(4)

    let snapshot: MutantCopy

    beforeAll(async () => {
      await prepareApp(program.folder)
      snapshot = await snapshotOf(program.folder)
    })

    afterAll(() => snapshot.remove())

    for (const mutant of mutants) {
      test.concurrent(`the check "${mutant.noticedBy}" fails if ${mutant.name}`, () =>
        inTurn(async () => {
          const copied = { ...program, folder: snapshot.folder }
          const failure = await failureOf(mutant, copied, checks, modules)
          expect(failure, 'the check passes').toBeInstanceOf(assert.AssertionError)
        }))
    }
  })
}
