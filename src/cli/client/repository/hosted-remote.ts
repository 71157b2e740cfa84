import { git } from './git.ts'
import type { Remote } from './remotes.ts'
import type { Repository } from './repository.ts'

/** A git remote that is a repository hosted by the daemon. */
export interface HostedRemote extends Remote {
  /** Name of the hosted repository. */
  readonly hosted: string
}

/** Returns the URL of a repository that the daemon at `url` hosts. */
export function hostedUrl(url: string, hosted: string): string {
  return `${url}/git/${hosted}.git`
}

/** Returns the name of the repository if `text` is the URL of one that the daemon at `url` hosts. */
export function hostedNameIn(text: string, url: string): string | undefined {
  const prefix = `${url}/git/`
  if (!text.startsWith(prefix)) return undefined
  const name = text.slice(prefix.length).replace(/\.git$/, '')
  return /^[a-z0-9][a-z0-9._-]*$/.test(name) ? name : undefined
}

/** Finds the first remote of a repository that the daemon at `url` hosts. */
export async function hostedRemoteOf(
  { root }: Pick<Repository, 'root'>,
  url: string,
): Promise<HostedRemote | undefined> {
  const { stdout } = await git(root, ['config', '--get-regexp', '^remote\\..*\\.url$'])
  for (const line of stdout.split('\n')) {
    const [, name = '', address = ''] = /^remote\.(.+)\.url (.*)$/.exec(line) ?? []
    const hosted = hostedNameIn(address, url)
    if (hosted !== undefined) return { name, url: address, key: address, hosted }
  }
  return undefined
}

/** Returns a name for a hosted repository from the name of a folder. */
export function hostedNameFrom(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/\.(git|lock)$/, '')
    .slice(0, 63)
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
  return name === '' ? 'app' : name
}
