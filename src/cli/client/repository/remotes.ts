import { normalizeRemote } from '../../../../daemon/client/remote-url.ts'
import { ClientError } from '../errors/client-error.ts'
import { git } from './git.ts'
import type { Repository } from './repository.ts'

/** A remote of a repository that another machine can reach. */
export interface Remote {
  readonly name: string
  /** URL in the daemon's normalized spelling, without a credential. */
  readonly url: string
  /** Key that is equal for all spellings of a repository's URL. */
  readonly key: string
}

/**
 * Finds the remote that a branch is pushed to: its configured remote, otherwise `origin`, otherwise the only remote.
 * Returns undefined if that remote is missing or only this machine can reach it.
 */
export async function remoteOf(
  { root }: Repository,
  branch: string | undefined,
): Promise<Remote | undefined> {
  const { stdout } = await git(root, ['remote'])
  const names = stdout === '' ? [] : stdout.split('\n')
  const configured =
    branch && (await git(root, ['config', '--get', `branch.${branch}.remote`])).stdout
  const name = [configured, 'origin', names.length === 1 ? names[0] : undefined].find(
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

/** Throws ClientError (2) if the branch is not on the remote, as of the last fetch or push. */
export async function requirePushed(
  { root }: Repository,
  branch: string,
  { name }: Remote,
): Promise<{ commitsAhead: number }> {
  const pushed = `refs/remotes/${name}/${branch}`
  const found = await git(root, ['rev-parse', '--quiet', '--verify', pushed])
  if (found.code !== 0) {
    throw new ClientError(
      `branch ${branch} is not pushed to ${name}: the daemon deploys pushed commits only`,
      { exitCode: 2, next: [`git push --set-upstream ${name} ${branch}`] },
    )
  }
  const ahead = await git(root, ['rev-list', '--count', `${pushed}..refs/heads/${branch}`])
  return { commitsAhead: ahead.code === 0 ? Number(ahead.stdout) : 0 }
}

/** Removes user name and password from an HTTP URL: they must not leave this machine. */
function withoutCredential(text: string): string {
  return text.replace(/^(https?:\/\/)[^@/]*@/i, '$1')
}
