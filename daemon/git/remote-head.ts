import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DefaultBranch } from '../ports.ts'
import { credentialConfig } from './credential.ts'
import type { FetchRequest } from './fetch-mirror.ts'
import type { GitProgram } from './git-program.ts'

/** Time limit: a remote that does not answer must not delay a deploy for longer. */
const timeoutMs = 15_000

/**
 * Returns the branch that the HEAD of a remote names. A clone on this machine answers with the HEAD of its `origin`.
 * Returns undefined if HEAD is detached or names no branch, or if the remote does not answer.
 */
export async function readRemoteHead(
  git: GitProgram,
  { place, token, pins = [] }: FetchRequest,
  signal: AbortSignal,
): Promise<DefaultBranch | undefined> {
  const listed = await git(['ls-remote', '--symref', '--', place.url, 'HEAD'], {
    allow: place.protocols,
    config: [...credentialConfig(place.url, token), ...pins],
    timeoutMs,
    signal,
  }).catch(() => undefined)
  if (!listed?.isOk) return undefined
  const targets = symbolicRefs(listed.stdout.toString('utf8'))
  const origin = branchOf(targets.get(originHead), 'refs/remotes/origin/')
  if (place.kind === 'folder' && origin !== undefined) return { name: origin, isCheckout: false }
  const name = branchOf(targets.get('HEAD'), 'refs/heads/')
  return name === undefined ? undefined : { name, isCheckout: await isWorkingTree(place) }
}

const originHead = 'refs/remotes/origin/HEAD'

/** Parses the lines `ref: <target> TAB <name>`. */
function symbolicRefs(text: string): Map<string, string> {
  const lines = text.split('\n').map((line) => /^ref: (\S+)\t(\S+)$/.exec(line))
  return new Map(lines.flatMap((parts) => (parts ? [[parts[2] ?? '', parts[1] ?? '']] : [])))
}

function branchOf(target: string | undefined, prefix: string): string | undefined {
  return target?.startsWith(prefix) ? target.slice(prefix.length) : undefined
}

async function isWorkingTree({ kind, url }: FetchRequest['place']): Promise<boolean> {
  if (kind !== 'folder') return false
  return lstat(join(url, '.git')).then(
    () => true,
    () => false,
  )
}
