import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { limitChecks } from '../../apps/suite/blog/limits.checks.ts'
import { blogProcessChecks, preparedProcessChecks } from '../../apps/suite/blog/process.checks.ts'
import { tags } from '../../apps/suite/blog/resources.ts'
import type { ProcessCheck } from '../../apps/suite/process.ts'
import {
  sharedStoreCheck,
  storeFailureCheck,
  storeWaitCheck,
} from '../../apps/suite/storage.checks.ts'
import { suites } from '../../apps/suite/suites.ts'
import type { Mutated } from './describe-mutants.ts'
import type { Program } from './launcher.ts'
import { dropTable, holdWrites } from './sqlite-file.ts'

/** The emitted blog with the command of its Dockerfile. Build it first. */
export const blogApp: Program = {
  folder: fileURLToPath(new URL('../../../examples/blog-app', import.meta.url)),
  argv: [process.execPath, '--enable-source-maps', 'dist/main.js'],
}

/** The process checks of the app on a SQLite file. */
export const blogAppProcessChecks: readonly ProcessCheck[] = [
  ...blogProcessChecks,
  ...limitChecks,
  ...preparedProcessChecks(tags, (resource) => [
    sharedStoreCheck(resource),
    storeWaitCheck(resource, holdWrites),
    storeFailureCheck(resource, (url) => dropTable(url, 'tags')),
  ]),
]

export const mutatedBlogApp: Mutated = {
  program: blogApp,
  modules: [
    join(blogApp.folder, 'node_modules'),
    fileURLToPath(new URL('../../../node_modules', import.meta.url)),
  ],
  checks: { http: suites.blog, process: blogAppProcessChecks },
}
