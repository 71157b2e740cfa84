import { join } from 'node:path'
import { benchFolder } from '../harness/folders.ts'

// How the apps are built: argv lists after `node`, run in the app's folder.
const tool = (path: string) => join(benchFolder, 'node_modules', path)
export const prismaGenerate = [tool('prisma/build/index.js'), 'generate']
export const compile = [tool('typescript/bin/tsc'), '-p', '.']
export const npmBuild = [npmCli(), 'run', 'build']

/** Where a Prisma peer keeps the SQL of its tables, relative to its folder. */
export const prismaInitSql = 'prisma/migrations/0_init/migration.sql'

export function peerFolder(name: string): string {
  return join(benchFolder, 'apps', name)
}

/** npm as a script for `node`: the one that runs us, or the one beside `node`. */
function npmCli(): string {
  return (
    process.env.npm_execpath ?? join(process.execPath, '../../lib/node_modules/npm/bin/npm-cli.js')
  )
}
