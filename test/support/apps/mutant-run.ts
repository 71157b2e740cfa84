import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { type Check, outcomeOf } from '../../apps/suite/check.ts'
import type { ProcessCheck } from '../../apps/suite/process.ts'
import { bootApp } from './boot.ts'
import { launcherOf, type Program } from './launcher.ts'
import { copyWithMutant, type SourceMutant } from './mutant-copy.ts'

/** All checks of a program, over HTTP and as a process. */
export interface Checks {
  readonly http: readonly Check[]
  readonly process: readonly ProcessCheck[]
}

/**
 * Runs the check that must fail against a broken copy of a program, and returns its failure;
 * undefined if it passes. Throws if the mutant does not apply, names no check, or anything
 * but the check's own assertions fails: a copy that does not even start proves nothing.
 */
export async function failureOf(
  mutant: SourceMutant,
  program: Program,
  checks: Checks,
  modules: readonly [own: string, root: string],
): Promise<assert.AssertionError | undefined> {
  const isMeant = ({ title }: { readonly title: string }): boolean => title === mutant.noticedBy
  const overHttp = checks.http.find(isMeant)
  const asProcess = checks.process.find(isMeant)
  const copy = await copyWithMutant(program.folder, mutant, modules)
  const broken = { ...program, folder: copy.folder }
  try {
    if (overHttp !== undefined) return await failureOverHttp(overHttp, broken)
    if (asProcess === undefined) {
      throw new Error(`${mutant.name}: no check is titled ${mutant.noticedBy}`)
    }
    const launcher = launcherOf(broken, () => mkdtemp(join(copy.folder, 'store-')))
    return assertionOf(await asProcess.run(launcher).catch((failure: unknown) => failure))
  } finally {
    await copy.remove()
  }
}

async function failureOverHttp(check: Check, program: Program) {
  const app = await bootApp(program)
  try {
    return assertionOf((await outcomeOf(check, app)).failure)
  } finally {
    await app.stop()
  }
}

function assertionOf(failure: unknown): assert.AssertionError | undefined {
  if (failure === undefined || failure instanceof assert.AssertionError) return failure
  throw failure
}
