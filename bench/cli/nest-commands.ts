import { execFileSync } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { benchFolder } from '../harness/folders.ts'
import type { TimedCommand } from './command.ts'
import { mustExist } from './verify.ts'

const program = join(benchFolder, 'node_modules/@nestjs/cli/bin/nest.js')
const newArgv = [program, 'new', 'blog', '--skip-install', '--skip-git', '--package-manager', 'npm']
const resourceArgv = [program, 'g', 'resource', 'posts', '--type', 'rest', '--crud']

/** Returns the Nest commands. `folder` must exist until the end of the run: `g resource` runs in copies of its project. */
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

/** Declares the package that the first resource would add, as its `npm install` must not be timed. */
async function declareMappedTypes(path: string): Promise<void> {
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  manifest.dependencies['@nestjs/mapped-types'] = '*'
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`)
}
