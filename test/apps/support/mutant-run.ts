import { type Check, outcomeOf } from '../suite/check.ts'
import { bootApp } from './boot.ts'
import type { Program } from './launcher.ts'
import { copyWithMutant, type SourceMutant } from './mutant-copy.ts'

/**
 * Boots a broken copy of a program and returns the title of the first check that fails on it, or of
 * none. Throws when the mutant does not apply, names no check, or does not even become healthy.
 */
export async function titleThatNotices(
  mutant: SourceMutant,
  program: Program,
  checks: readonly Check[],
  modules: readonly [own: string, root: string],
): Promise<string | undefined> {
  const { noticedBy } = mutant
  const meant = checks.filter(({ title }) => noticedBy === undefined || title === noticedBy)
  if (meant.length === 0) throw new Error(`${mutant.name}: no check is titled ${noticedBy}`)
  const copy = await copyWithMutant(program.folder, mutant, modules)
  try {
    const app = await bootApp({ ...program, folder: copy.folder })
    try {
      for (const check of meant) {
        if ((await outcomeOf(check, app)).failure !== undefined) return check.title
      }
      return undefined
    } finally {
      await app.stop()
    }
  } finally {
    await copy.remove()
  }
}
