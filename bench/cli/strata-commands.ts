import { execFileSync, type StdioOptions } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { appendFile, cp } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryFolder } from '../harness/folders.ts'
import type { TimedCommand } from './command.ts'
import { mustContain, mustExist } from './verify.ts'

const program = join(repositoryFolder, 'bin/strata.js')
const initArgv = [program, 'init', 'blog', '--no-install', '--no-git']
const featureArgv = [program, 'feature', 'Post', 'title:string', 'body:text']
const wiringFiles = ['src/container.ts', 'src/routes.ts']

/** Returns why `strata` can't be measured, or undefined if it can. */
export function strataMissing(): string | undefined {
  if (!existsSync(program)) return 'bin/strata.js does not exist yet'
  if (!existsSync(join(repositoryFolder, 'dist'))) {
    return 'strata is not built: run `npm run build` at the root'
  }
  return undefined
}

/** Returns the strata commands. `folder` must exist until the end of the run: `feature` runs in copies of its project. */
export function strataCommands(folder: string): TimedCommand[] {
  execFileSync(process.execPath, initArgv, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const project = join(folder, 'blog')
  const large = join(folder, 'large')
  createLarge(project, large)
  const common = { program: 'strata', exitCode: 0 } as const
  const feature = { ...common, argv: featureArgv, cwd: 'blog', verify: postIsWired, target: 2.5 }
  return [
    {
      ...common,
      key: 'strata-version',
      title: 'strata --version',
      argv: [program, '--version'],
      target: 1.2,
    },
    {
      ...common,
      key: 'strata-help',
      title: 'strata --help',
      argv: [program, '--help'],
      target: 1.2,
    },
    {
      ...common,
      key: 'strata-bad-flag',
      title: 'strata init --nope',
      argv: [program, 'init', '--nope'],
      exitCode: 2,
      target: 1.2,
    },
    {
      ...common,
      key: 'strata-init',
      title: 'strata init blog --no-install --no-git',
      argv: initArgv,
      verify: (at) => mustExist(join(at, 'blog/strata.json')),
      target: 2.5,
    },
    {
      ...feature,
      key: 'strata-feature',
      title: 'strata feature Post (wiring as emitted)',
      prepare: (at) => cp(project, join(at, 'blog'), { recursive: true }),
    },
    {
      ...feature,
      key: 'strata-feature-large',
      title: 'strata feature Post (61st entity)',
      prepare: (at) => cp(large, join(at, 'blog'), { recursive: true }),
      target: 3.75,
    },
    {
      ...feature,
      key: 'strata-feature-edited',
      title: 'strata feature Post (wiring edited by hand)',
      prepare: async (at) => {
        await cp(project, join(at, 'blog'), { recursive: true })
        for (const path of wiringFiles) await appendFile(join(at, 'blog', path), handEdit)
      },
      verify: async (at) => {
        await postIsWired(at)
        for (const path of wiringFiles) await mustContain(join(at, 'blog', path), handEdit.trim())
      },
      target: 5,
    },
  ]
}

/** Copies the project and gives it 60 entities. */
function createLarge(project: string, large: string): void {
  cpSync(project, large, { recursive: true })
  const path = join(large, 'strata.json')
  const file: object = JSON.parse(readFileSync(path, 'utf8'))
  const areas = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Cargo', 'Engine', 'Flight', 'Garden', 'Hotel']
  const kinds = ['Report', 'Plan', 'Team', 'Order', 'Ticket', 'Invoice', 'Visit']
  const names = areas.flatMap((area) => kinds.map((kind) => area + kind)).slice(0, 60)
  const fields = ['title:string', 'body:text', 'count:int:default=0']
  const features = Object.fromEntries(names.map((name) => [name, { fields }]))
  writeFileSync(path, JSON.stringify({ ...file, features }, null, 2))
  const stdio: StdioOptions = ['ignore', 'ignore', 'inherit']
  execFileSync(process.execPath, [program, 'sync'], { cwd: large, stdio })
}

const handEdit = '\n// a person wrote this line\n'

async function postIsWired(folder: string): Promise<void> {
  for (const path of wiringFiles) await mustContain(join(folder, 'blog', path), 'post')
}
