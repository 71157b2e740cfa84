import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processChecks } from '../../apps/suite/process.checks.ts'
import type { ProcessCheck } from '../../apps/suite/process.ts'
import {
  sharedStoreCheck,
  storeFailureCheck,
  storeWaitCheck,
} from '../../apps/suite/storage.checks.ts'
import { suites } from '../../apps/suite/suites.ts'
import { users } from '../../apps/suite/users.ts'
import type { Mutated } from './describe-mutants.ts'
import type { Program } from './launcher.ts'
import { dropTable, holdWrites } from './sqlite-file.ts'

/** The emitted user application with the command of its Dockerfile. Build it first. */
export const userApp: Program = {
  folder: fileURLToPath(new URL('../../../examples/user-app', import.meta.url)),
  argv: [process.execPath, '--enable-source-maps', 'dist/main.js'],
}

/** The node_modules folders of copies: its own first. */
export const userAppModules: readonly [own: string, root: string] = [
  join(userApp.folder, 'node_modules'),
  fileURLToPath(new URL('../../../node_modules', import.meta.url)),
]

/** The process checks of the app on a SQLite file. */
export const userProcessChecks: readonly ProcessCheck[] = [
  ...processChecks(users),
  sharedStoreCheck(users),
  storeWaitCheck(users, holdWrites),
  storeFailureCheck(users, (url) => dropTable(url, 'users')),
]

export const mutatedUserApp: Mutated = {
  program: userApp,
  modules: userAppModules,
  checks: { http: suites.user, process: userProcessChecks },
}

/** Returns whether the example was emitted. */
export function isUserAppThere(): boolean {
  return existsSync(join(userApp.folder, 'src/main.ts'))
}
