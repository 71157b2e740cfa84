import type { Project } from './records.ts'

/** Prefix of the `repoUrl` of a project whose repository the daemon hosts. No normalized URL starts with it. */
const prefix = 'hosted:'

/** Returns true for the name of a hosted repository: lower case, digits, `-`, `_` and `.`, at most 63 characters. */
export function isHostedName(name: string): boolean {
  return /^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$/.test(name) && !/\.\.|\.(git|lock)$/.test(name)
}

/** Returns the `repoUrl` and the `remoteKey` of a hosted repository. No webhook can name this key: it has no slash. */
export function hostedSource(name: string): { repoUrl: string; remoteKey: string } {
  return { repoUrl: `${prefix}${name}`, remoteKey: `${prefix}${name}` }
}

/** Returns the name of a project's hosted repository; undefined if its repository is elsewhere. */
export function hostedName({ repoUrl }: Pick<Project, 'repoUrl'>): string | undefined {
  return repoUrl?.startsWith(prefix) ? repoUrl.slice(prefix.length) : undefined
}

/** Name of the folder, in the folder of a project's volumes, that holds its hosted repository. */
export const repositoryVolume = 'repository'

/** Name of the folder, in the folder of a project's volumes, with the dumps of databases that a restore brought. */
export const dumpsVolume = 'databases'
