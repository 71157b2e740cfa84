import { normalizeRemote } from '../../../../daemon/git/remote-url.ts'
import { ClientError } from '../client-error.ts'
import { git } from './git.ts'
import type { Repository } from './repository.ts'

/** A remote of a repository that another machine can reach. */
export interface Remote {
  readonly name: string
  /** As the daemon spells it; holds no credential. */
  readonly url: string
  /** What two spellings of one repository have in common. */
  readonly key: string
}

/**
 * The remote that a branch is pushed to: its own, else `origin`, else the only one; undefined where there is none that
 * another machine can reach.
 */
export async function remoteOf(
  { root }: Repository,
  branch: string | undefined,
): Promise<Remote | undefined> {
  const { stdout } = await git(root, ['remote'])
  const names = stdout === '' ? [] : stdout.split('\n')
  const own = branch && (await git(root, ['config', '--get', `branch.${branch}.remote`])).stdout
  const name = [own, 'origin', names.length === 1 ? names[0] : undefined].find(
    (each) => each !== undefined && names.includes(each),
  )
  if (name === undefined) return undefined
  const found = await git(root, ['remote', 'get-url', name])
  return found.code === 0 ? parseRemote(name, found.stdout) : undefined
}

export function parseRemote(name: string, text: string): Remote | undefined {
  try {
    return { name, ...normalizeRemote(withoutCredential(text)) }
  } catch {
    return undefined
  }
}

/** Throws ClientError (2) where the remote, as it was last fetched from or pushed to, has no such branch. */
export async function requirePushed(
  { root }: Repository,
  branch: string,
  { name }: Remote,
): Promise<{ commitsAhead: number }> {
  const pushed = `refs/remotes/${name}/${branch}`
  const found = await git(root, ['rev-parse', '--quiet', '--verify', pushed])
  if (found.code !== 0) {
    throw new ClientError(
      `the branch ${branch} is not at ${name}: the daemon deploys what is pushed`,
      { exitCode: 2, next: [`git push --set-upstream ${name} ${branch}`] },
    )
  }
  const ahead = await git(root, ['rev-list', '--count', `${pushed}..refs/heads/${branch}`])
  return { commitsAhead: ahead.code === 0 ? Number(ahead.stdout) : 0 }
}

/** A name and a password in an address are git's, and stay on this machine. */
function withoutCredential(text: string): string {
  return text.replace(/^(https?:\/\/)[^@/]*@/i, '$1')
}
