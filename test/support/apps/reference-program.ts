import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { processChecks } from '../../apps/suite/process.checks.ts'
import type { Launcher, ProcessCheck } from '../../apps/suite/process.ts'
import { defaultPortCheck } from '../../apps/suite/settings.checks.ts'
import { storeFailureCheck } from '../../apps/suite/storage.checks.ts'
import { users } from '../../apps/suite/users.ts'
import { launcherOf } from './launcher.ts'
import type { ProcessMutantName } from './reference-process-mutants.ts'

/** The process checks of the reference, except the check that needs port 8080. */
export const referenceChecks: readonly ProcessCheck[] = [
  ...processChecks(users),
  storeFailureCheck(users, async (databaseUrl) => {
    const file = databaseUrl.replace(/^file:/, '')
    await rm(file)
    await mkdir(file)
  }),
]

export const referenceTitles = [...referenceChecks, defaultPortCheck].map(({ title }) => title)

export interface ReferenceProgram<Mutant extends string = ProcessMutantName> {
  readonly folder: string
  readonly launch: (mutant?: Mutant) => Launcher
  readonly remove: () => Promise<void>
}

/** Bundles the program of entry point `main` into a temporary folder, so that starts are fast. */
export async function buildReference<Mutant extends string = ProcessMutantName>(
  main = './reference-main.ts',
): Promise<ReferenceProgram<Mutant>> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-reference-'))
  await build({
    entryPoints: [fileURLToPath(new URL(main, import.meta.url))],
    outfile: join(folder, 'main.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  return {
    folder,
    launch: (mutant) => {
      const argv = [process.execPath, 'main.mjs', ...(mutant === undefined ? [] : [mutant])]
      return launcherOf({ folder, argv }, () => mkdtemp(join(folder, 'data-')))
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
