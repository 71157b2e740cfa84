import { execFileSync } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { benchFolder } from '../harness/folders.ts'
import type { TimedCommand } from './command.ts'
import { mustExist } from './verify.ts'

const program = join(benchFolder, 'node_modules/@nestjs/cli/bin/nest.js')
const newArgv = [program, 'new', 'blog', '--skip-install', '--skip-git', '--package-manager', 'npm']
const resourceArgv = [program, 'g', 'resource', 'posts', '--type', 'rest', '--crud']

/** `folder` stays until the run's end: it holds the project that `g resource` gets copies of. */
export async function nestCommands(folder: string): Promise<TimedCommand[]> {
  execFileSync(process.execPath, newArgv, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const project = join(folder, 'blog')
  await declareMappedTypes(join(project, 'package.json'))
  const common = { program: 'nest', exitCode: 0 } as const
  return [
    { ...common, key: 'nest-version', title: 'nest --version', argv: [program, '--version'] },
    { ...common, key: 'nest-help', title: 'nest --help', argv: [program, '--help'] },
    {
      ...common,
      key: 'nest-new',
      title: 'nest new blog --skip-install --skip-git',
      argv: newArgv,
      verify: (at) => mustExist(join(at, 'blog/src/app.module.ts')),
    },
    {
      ...common,
      key: 'nest-resource',
      title: 'nest g resource posts --type rest --crud',
      argv: resourceArgv,
      cwd: 'blog',
      prepare: (at) => cp(project, join(at, 'blog'), { recursive: true }),
      verify: (at) => mustExist(join(at, 'blog/src/posts/posts.controller.ts')),
    },
  ]
}

/** The first resource of a project adds this package and runs `npm install`: not what is timed here. */
async function declareMappedTypes(path: string): Promise<void> {
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  manifest.dependencies['@nestjs/mapped-types'] = '*'
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`)
}
