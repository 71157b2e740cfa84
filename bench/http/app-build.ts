import { join } from 'node:path'
import { benchFolder } from '../harness/folders.ts'

// Build steps: argv lists for `node`, run in the folder of the app.
const tool = (path: string) => join(benchFolder, 'node_modules', path)
export const prismaGenerate = [tool('prisma/build/index.js'), 'generate']
export const compile = [tool('typescript/bin/tsc'), '-p', '.']
export const npmBuild = [npmCli(), 'run', 'build']

/** The migration of a Prisma peer, relative to its folder. */
export const prismaInitSql = 'prisma/migrations/0_init/migration.sql'

export function peerFolder(name: string): string {
  return join(benchFolder, 'apps', name)
}

/** Returns the path of npm's script: of the npm that runs this process, otherwise of the npm next to `node`. */
function npmCli(): string {
  return (
    process.env.npm_execpath ?? join(process.execPath, '../../lib/node_modules/npm/bin/npm-cli.js')
  )
}
