import * as z from 'zod'
import type { Renamed } from './event.ts'
import { parseFields, remoteKeys } from './payload.ts'

const text = z.string().max(4096)

const githubFields = z.object({
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
 * Parses GitHub's `repository` event: `renamed` carries the previous name, `transferred` the previous owner. Returns
 * undefined for other actions.
 */
export function parseGithubRename(payload: unknown): Renamed | undefined {
  const { action, repository, changes } = parseFields(githubFields, payload)
  if (action !== 'renamed' && action !== 'transferred') return undefined
  const [owner = ''] = repository.full_name.split('/', 1)
  const { user, organization } = changes?.owner?.from ?? {}
  const previousOwner = user?.login ?? organization?.login ?? owner
  const previousName = changes?.repository?.name.from ?? repository.name
  const previousPath = `${previousOwner}/${previousName}`
  return createRenamed(repository.clone_url, previousPath, repository.full_name)
}

const gitlabFields = z.object({
  path_with_namespace: text,
  old_path_with_namespace: text,
})

/** Parses GitLab's system hooks `project_rename` and `project_transfer`. `host` is the instance's host name. */
export function parseGitlabRename(payload: unknown, host: string): Renamed | undefined {
  const { path_with_namespace: to, old_path_with_namespace: from } = parseFields(
    gitlabFields,
    payload,
  )
  return createRenamed(`https://${host}/${to}`, from, to)
}

/**
 * `url` is the repository's new URL; `from` and `to` are `owner/name`. Returns undefined if the URL does not end with
 * `to`.
 */
function createRenamed(url: string, from: string, to: string): Renamed | undefined {
  const [key = ''] = remoteKeys([url])
  if (from === to || !key.endsWith(`/${to.toLowerCase()}`)) return undefined
  const host = key.slice(0, -to.length)
  const [fromKey] = remoteKeys([`https://${host}${from}`])
  if (fromKey === undefined) return undefined
  return { kind: 'renamed', fromKey, toKey: key, path: to }
}
