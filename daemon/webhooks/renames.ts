import * as z from 'zod'
import { read, remoteKeys } from './payload.ts'
import type { Renamed } from './webhooks.ts'

const text = z.string().max(4096)

const githubRename = z.object({
  action: text.optional(),
  repository: z.object({ name: text, full_name: text, clone_url: text }),
  changes: z
    .object({
      repository: z.object({ name: z.object({ from: text }) }).optional(),
      owner: z
        .object({
          from: z.object({
            user: z.object({ login: text }).nullish(),
            organization: z.object({ login: text }).nullish(),
          }),
        })
        .optional(),
    })
    .optional(),
})

/**
 * GitHub's `repository` event: `renamed` says the name of before, `transferred` the owner of before. Undefined for its
 * other actions.
 */
export function githubRenamed(payload: unknown): Renamed | undefined {
  const { action, repository, changes } = read(githubRename, payload)
  if (action !== 'renamed' && action !== 'transferred') return undefined
  const [owner = ''] = repository.full_name.split('/', 1)
  const { user, organization } = changes?.owner?.from ?? {}
  const ownerBefore = user?.login ?? organization?.login ?? owner
  const nameBefore = changes?.repository?.name.from ?? repository.name
  return renamed(repository.clone_url, `${ownerBefore}/${nameBefore}`, repository.full_name)
}

const gitlabRename = z.object({
  path_with_namespace: text,
  old_path_with_namespace: text,
})

/** GitLab's system hooks `project_rename` and `project_transfer`; `host` is that of the instance. */
export function gitlabRenamed(payload: unknown, host: string): Renamed | undefined {
  const { path_with_namespace: to, old_path_with_namespace: from } = read(gitlabRename, payload)
  return renamed(`https://${host}/${to}`, from, to)
}

/** `url` is of the repository as it is called now; the paths are `owner/name`. */
function renamed(url: string, from: string, to: string): Renamed | undefined {
  const [key = ''] = remoteKeys([url])
  if (from === to || !key.endsWith(`/${to.toLowerCase()}`)) return undefined
  const host = key.slice(0, -to.length)
  const [before] = remoteKeys([`https://${host}${from}`])
  if (before === undefined) return undefined
  return { kind: 'renamed', fromKey: before, toKey: key, path: to }
}
