import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { DaemonError } from '../errors.ts'
import type { GitSource } from '../ports.ts'
import { normalizeRemote } from './remote-url.ts'

/** The location of a project's repository. */
export interface SourcePlace {
  /** A normalized URL, or an absolute path. */
  readonly url: string
  readonly kind: 'host' | 'folder'
  /** Host or path, for messages. */
  readonly name: string
  /** Value of GIT_ALLOW_PROTOCOL. */
  readonly protocols: string
  /** Name of the mirror: a hash of the URL. */
  readonly id: string
}

/** Returns the location of a repository. Throws DaemonError `bad-request` for a forbidden URL or path. */
export function placeOf(source: Pick<GitSource, 'repoDir' | 'repoUrl'>): SourcePlace {
  if (source.repoDir !== null) {
    if (!source.repoDir.startsWith('/') || source.repoDir.includes('\0')) {
      throw new DaemonError('bad-request', 'repo_dir must be an absolute path')
    }
    const path = resolve(source.repoDir)
    return { url: path, kind: 'folder', name: path, protocols: 'file', id: idOf(`file:${path}`) }
  }
  const { url } = normalizeRemote(source.repoUrl ?? '')
  const { protocol, host } = new URL(url)
  // normalizeRemote allows plain HTTP to this machine only.
  const protocols = protocol === 'ssh:' ? 'ssh' : protocol === 'http:' ? 'http:https' : 'https'
  return { url, kind: 'host', name: host, protocols, id: idOf(url) }
}

function idOf(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 40)
}
