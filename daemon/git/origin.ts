import { dirname, resolve } from 'node:path'
import { DaemonError } from '../errors.ts'
import type { GitProgram } from './git-program.ts'
import { normalizeRemote } from './remote-url.ts'

/**
 * The key (`host/path`) of the `origin` remote of a repository on this machine, which webhooks are matched by. Null when it
 * has none, or one that is no repository on a host; null too where there is no repository.
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

/** A person's own clone may hold a token in its URL; only the place is of interest here. */
function withoutCredentials(url: string): string {
  return url.replace(/^(https?):\/\/[^/@]*@/i, '$1://').replace(/^http:/i, 'https:')
}
