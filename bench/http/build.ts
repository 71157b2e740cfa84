import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from './app-list.ts'

/** Builds the apps that have no build yet, or with `force` all apps. Throws if a build fails. */
export function buildApps(apps: readonly App[], force: boolean): void {
  for (const app of apps) {
    if (!force && existsSync(join(app.folder, app.entry))) continue
    for (const argv of app.build) {
      console.error(`building ${app.key}: ${argv.slice(1).join(' ') || argv[0]}`)
      execFileSync(process.execPath, argv, {
        cwd: app.folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
    }
  }
}
