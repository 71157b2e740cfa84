import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRepository } from '../../test/support/stratad/plain-app.ts'
import { repositoryFolder } from '../harness/folders.ts'

const source = join(repositoryFolder, 'examples/user-app')

/** What the app's build needs of its development dependencies: no release has the others. */
const builds = /^(?:prisma|typescript|@types\/.*)$/

/** A repository of the emitted user-app, as it is in this tree; gives its folder. */
export function createEmittedRepository(folder: string): string {
  const names = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: source,
    encoding: 'utf8',
  })
  const files = Object.fromEntries(
    names
      .split('\0')
      .filter(Boolean)
      .map((name) => [name, readFileSync(join(source, name), 'utf8')]),
  )
  return createRepository(folder, {
    ...files,
    'package.json': withoutTestTools(files['package.json'] ?? '{}'),
    '.npmrc': 'prefer-offline=true\n',
  }).folder
}

function withoutTestTools(manifest: string): string {
  const { devDependencies, ...rest } = JSON.parse(manifest)
  const kept = Object.entries(devDependencies).filter(([name]) => builds.test(name))
  return JSON.stringify({ ...rest, devDependencies: Object.fromEntries(kept) })
}
