import { dirname, resolve } from 'node:path'
import { DaemonError } from '../errors.ts'
import type { GitProgram } from './git-program.ts'
import { normalizeRemote } from './remote-url.ts'

/**
 * Returns the key `host/path` of the `origin` remote of a local repository, by which webhooks are matched. Returns null
 * if the folder is not a repository, has no `origin`, or `origin` is not on a host.
 */
export async function originOf(git: GitProgram, repoDir: string): Promise<string | null> {
  const folder = resolve(repoDir)
  const result = await git(
    ['-C', folder, 'config', '--local', '--no-includes', '--get', 'remote.origin.url'],
    { env: { GIT_CEILING_DIRECTORIES: dirname(folder) }, timeoutMs: 10_000 },
  )
  if (!result.isOk) return null
  try {
    return normalizeRemote(withoutCredentials(result.stdout.toString('utf8').trim())).key
  } catch (error) {
    if (error instanceof DaemonError) return null
    throw error
  }
}

/** Drops the token that the URL of a user's clone may contain. */
function withoutCredentials(url: string): string {
  return url.replace(/^(https?):\/\/[^/@]*@/i, '$1://').replace(/^http:/i, 'https:')
}
