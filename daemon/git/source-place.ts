import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { DaemonError } from '../errors.ts'
import type { GitSource } from '../ports.ts'
import { normalizeRemote } from './remote-url.ts'

/** Where a project's repository is, as git is told. */
export interface SourcePlace {
  /** A normalized URL, or an absolute path. */
  readonly url: string
  readonly kind: 'host' | 'folder'
  /** Host or path, for sentences. */
  readonly name: string
  /** What GIT_ALLOW_PROTOCOL is for it. */
  readonly protocols: string
  /** Name of its mirror: a hash of the whole URL. */
  readonly id: string
}

/** Throws DaemonError `bad-request` for a URL or a path that git must not be given. */
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
  // Plain HTTP only got through for this machine.
  const protocols = protocol === 'ssh:' ? 'ssh' : protocol === 'http:' ? 'http:https' : 'https'
  return { url, kind: 'host', name: host, protocols, id: idOf(url) }
}

function idOf(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 40)
}
