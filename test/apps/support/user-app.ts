import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Program } from './launcher.ts'

/** The emitted user application, run from its sources. */
export const userApp: Program = {
  folder: fileURLToPath(new URL('../../../examples/user-app', import.meta.url)),
  argv: [process.execPath, '--import', 'tsx', 'src/main.ts'],
}

/** False before the generator has emitted it. */
export function isUserAppThere(): boolean {
  return existsSync(join(userApp.folder, 'src/main.ts'))
}
