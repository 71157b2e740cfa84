import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from './app-list.ts'

/** Builds what has no build yet, or everything when `anew`. Throws with the compiler's output. */
export function buildApps(apps: readonly App[], anew: boolean): void {
  for (const app of apps) {
    if (!anew && existsSync(join(app.folder, app.entry))) continue
    for (const argv of app.build) {
      console.error(`building ${app.key}: ${argv.slice(1).join(' ') || argv[0]}`)
      execFileSync(process.execPath, argv, {
        cwd: app.folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
    }
  }
}
