import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { ClientError } from '../client-error.ts'
import { git } from './git.ts'

/** The git repository around a folder, as a deploy sees it. */
export interface Repository {
  /** Real path of the work tree. */
  readonly root: string
  /** Folder of the app inside it, `''` for its root. */
  readonly context: string
  /** The branch that is checked out; undefined where none is. */
  readonly branch: string | undefined
  /** The commit that is checked out; undefined where there is none yet. */
  readonly head: string | undefined
}

/** Throws ClientError where the folder is in no work tree. */
export async function readRepository(cwd: string): Promise<Repository> {
  const found = await git(cwd, ['rev-parse', '--show-toplevel'])
  if (found.code !== 0) throw noRepository(found.stderr)
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

/** The nearest folder from `cwd` up to `root` that is an app, relative to `root`; `''` where there is none. */
export function contextOf(cwd: string, root: string): string {
  for (let folder = cwd; folder !== root && folder.startsWith(root); folder = dirname(folder)) {
    if (['strata.json', 'package.json'].some((name) => existsSync(join(folder, name)))) {
      return relative(root, folder).split(sep).join('/')
    }
  }
  return ''
}

/** The branch to deploy: the one that is named, else the one that is checked out. Throws ClientError for none. */
export async function branchToDeploy(
  { root, branch, head }: Repository,
  named: string | undefined,
): Promise<string> {
  if (head === undefined && (named === undefined || named === branch)) throw noCommits()
  if (named !== undefined) return named
  if (branch !== undefined) return branch
  const short = (await git(root, ['rev-parse', '--short', 'HEAD'])).stdout
  throw new ClientError(`no branch is checked out: HEAD is at ${short}, detached`, {
    next: ['git switch <branch>', 'strata up <branch>   deploys a branch without checking it out'],
  })
}

/** Throws ClientError (2) for a branch that the repository does not have. */
export async function requireLocalBranch({ root }: Repository, branch: string): Promise<void> {
  const found = await git(root, ['rev-parse', '--quiet', '--verify', `refs/heads/${branch}`])
  if (found.code === 0) return
  const branches = await branchesOf(root)
  const known = branches.length > 0 ? `: it has ${branches.slice(0, 10).join(', ')}` : ''
  throw new ClientError(`the repository has no branch ${branch}${known}`, {
    exitCode: 2,
    next: [`git switch --create ${branch}`, 'git branch --list'],
  })
}

/** How many files differ from what is committed, new ones included. */
export async function countChanges({ root, context }: Repository): Promise<number> {
  const path = context === '' ? '.' : context
  const { stdout } = await git(root, ['status', '--porcelain', '--', path])
  return stdout === '' ? 0 : stdout.split('\n').length
}

async function branchesOf(root: string): Promise<string[]> {
  const { stdout } = await git(root, ['for-each-ref', '--format=%(refname:short)', 'refs/heads'])
  return stdout === '' ? [] : stdout.split('\n')
}

function noRepository(said: string): ClientError {
  const owner = /dubious ownership/.test(said)
  return new ClientError(
    owner
      ? `git does not trust this folder: ${said.split('\n')[0]}`
      : 'this folder is in no git repository, and what is deployed is a commit',
    {
      next: owner
        ? ['git config --global --add safe.directory "$PWD"']
        : ["git init && git add --all && git commit --message 'first version'"],
    },
  )
}

function noCommits(): ClientError {
  return new ClientError('the repository has no commit yet, and what is deployed is a commit', {
    next: ["git add --all && git commit --message 'first version'"],
  })
}
