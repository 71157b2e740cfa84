import { execFileSync } from 'node:child_process'
import type { MigrationFile } from '../../generator/migrate/own-sqlite.ts'
import { basePath, projectPath } from '../../generator/plan/base.ts'

/** The project in one commit. */
export interface Commit {
  readonly readFile: (path: string) => string | undefined
  /** Lists the migrations, sorted by path. */
  readonly migrations: readonly MigrationFile[]
}

/** Two branches that git merges, or that the last commit merged. */
export interface Branches {
  readonly base: Commit
  readonly ours: Commit
  readonly theirs: Commit
}

/**
 * Returns the branches of an unfinished merge, or of the last commit if it is a merge after which strata has not written the
 * model. Returns undefined if there is no such merge, or no project in one of its commits.
 */
export function findBranches(root: string): Branches | undefined {
  const names = mergedCommits(root)
  if (names === undefined) return undefined
  const base = git(root, 'merge-base', ...names)?.trim()
  if (base === undefined) return undefined
  const [ours, theirs] = names
  const commits = [base, ours, theirs].map((commit) => openCommit(root, commit))
  if (commits.some(({ readFile }) => readFile(projectPath) === undefined)) return undefined
  const [first, second, third] = commits
  return first && second && third ? { base: first, ours: second, theirs: third } : undefined
}

function mergedCommits(root: string): readonly [string, string] | undefined {
  if (git(root, 'rev-parse', '--quiet', '--verify', 'MERGE_HEAD') !== undefined)
    return ['HEAD', 'MERGE_HEAD']
  const [, ...parents] =
    git(root, 'rev-list', '--parents', '-n', '1', 'HEAD')?.trim().split(' ') ?? []
  const isWritten = git(root, 'diff', '--quiet', 'HEAD', '--', basePath(projectPath)) === undefined
  return parents.length === 2 && !isWritten ? ['HEAD^1', 'HEAD^2'] : undefined
}

function openCommit(root: string, commit: string): Commit {
  const readFile = (path: string) => git(root, 'show', `${commit}:./${path}`)
  const listed = git(root, 'ls-tree', '-r', '-z', '--name-only', commit, 'prisma/migrations') ?? ''
  const paths = listed.split('\0').filter((path) => path.endsWith('/migration.sql'))
  return {
    readFile,
    migrations: paths.toSorted().map((path) => ({ path, sql: readFile(path) ?? '' })),
  }
}

/** Returns the output of a git command, undefined if it fails or git is missing. */
function git(root: string, ...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', ['-C', root, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    })
  } catch {
    return undefined
  }
}
