import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRepository } from '../../test/support/stratad/plain-app.ts'
import { repositoryFolder } from '../harness/folders.ts'

const source = join(repositoryFolder, 'examples/user-app')

/** Development dependencies that the app's build needs. */
const buildDependencies = /^(?:prisma|typescript|@types\/.*)$/

/** Creates a repository with the current files of examples/user-app. Returns its folder. */
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
  const kept = Object.entries(devDependencies).filter(([name]) => buildDependencies.test(name))
  return JSON.stringify({ ...rest, devDependencies: Object.fromEntries(kept) })
}
