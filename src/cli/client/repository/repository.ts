import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { ClientError } from '../errors/client-error.ts'
import { git } from './git.ts'

/** The git repository that contains a folder, with the facts that a deploy needs. */
export interface Repository {
  /** Real path of the work tree. */
  readonly root: string
  /** Folder of the app, relative to `root`; `''` for the root itself. */
  readonly context: string
  /** The checked-out branch; undefined with a detached HEAD. */
  readonly branch: string | undefined
  /** The checked-out commit; undefined in a repository without commits. */
  readonly head: string | undefined
}

/** Throws ClientError if the folder is in no git work tree. */
export async function readRepository(cwd: string): Promise<Repository> {
  const found = await git(cwd, ['rev-parse', '--show-toplevel'])
  if (found.code !== 0) throw notARepository(found.stderr)
  const root = realpathSync(found.stdout)
  const branch = await git(root, ['symbolic-ref', '--quiet', '--short', 'HEAD'])
  const head = await git(root, ['rev-parse', '--quiet', '--verify', 'HEAD'])
  return {
    root,
    context: contextOf(realpathSync(cwd), root),
    branch: branch.code === 0 ? branch.stdout : undefined,
    head: head.code === 0 ? head.stdout : undefined,
  }
}

/**
 * Finds the app around `cwd`: the nearest folder below `root` with a strata.json or package.json. Returns its path relative
 * to `root`, or `''` if there is none.
 */
export function contextOf(cwd: string, root: string): string {
  for (let folder = cwd; folder !== root && folder.startsWith(root); folder = dirname(folder)) {
    if (['strata.json', 'package.json'].some((name) => existsSync(join(folder, name)))) {
      return relative(root, folder).split(sep).join('/')
    }
  }
  return ''
}

/** Returns the named branch, otherwise the checked-out one. Throws ClientError with a detached HEAD, or without a commit. */
export async function branchToDeploy(
  { root, branch, head }: Repository,
  name: string | undefined,
): Promise<string> {
  if (head === undefined && (name === undefined || name === branch)) throw noCommits()
  if (name !== undefined) return name
  if (branch !== undefined) return branch
  const short = (await git(root, ['rev-parse', '--short', 'HEAD'])).stdout
  throw new ClientError(`no branch is checked out: HEAD is detached at ${short}`, {
    next: ['git switch <branch>', 'strata up <branch>   deploys a branch without checking it out'],
  })
}

/** Throws ClientError (2) if the repository has no such branch. */
export async function requireLocalBranch({ root }: Repository, branch: string): Promise<void> {
  const found = await git(root, ['rev-parse', '--quiet', '--verify', `refs/heads/${branch}`])
  if (found.code === 0) return
  const branches = await branchesOf(root)
  const known = branches.length > 0 ? `: its branches are ${branches.slice(0, 10).join(', ')}` : ''
  throw new ClientError(`the repository has no branch ${branch}${known}`, {
    exitCode: 2,
    next: [`git switch --create ${branch}`, 'git branch --list'],
  })
}

/** Counts the uncommitted files of the app, including untracked files. */
export async function countChanges({ root, context }: Repository): Promise<number> {
  const path = context === '' ? '.' : context
  const { stdout } = await git(root, ['status', '--porcelain', '--', path])
  return stdout === '' ? 0 : stdout.split('\n').length
}

async function branchesOf(root: string): Promise<string[]> {
  const { stdout } = await git(root, ['for-each-ref', '--format=%(refname:short)', 'refs/heads'])
  return stdout === '' ? [] : stdout.split('\n')
}

function notARepository(gitMessage: string): ClientError {
  const isUntrusted = /dubious ownership/.test(gitMessage)
  return new ClientError(
    isUntrusted
      ? `git does not trust this folder: ${gitMessage.split('\n')[0]}`
      : 'this folder is not in a git repository, and a deploy needs a commit',
    {
      next: isUntrusted
        ? ['git config --global --add safe.directory "$PWD"']
        : ["git init && git add --all && git commit --message 'first version'"],
    },
  )
}

function noCommits(): ClientError {
  return new ClientError('the repository has no commit yet, and a deploy needs one', {
    next: ["git add --all && git commit --message 'first version'"],
  })
}
