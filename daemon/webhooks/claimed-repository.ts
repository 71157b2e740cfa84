import type { IncomingHttpHeaders } from 'node:http'
import * as z from 'zod'
import { formPayload, isForm } from './form.ts'
import { instanceHost } from './gitlab.ts'
import { remoteKeys } from './payload.ts'
import { parseGithubRename } from './renames.ts'
import { header } from './signature.ts'
import { topLevelValues } from './top-level-values.ts'

const text = z.string().max(4096).nullish().catch(null)
const names = { full_name: text, path_with_namespace: text }
const urls = {
  ...{ clone_url: text, ssh_url: text, git_url: text, html_url: text },
  ...{ git_http_url: text, git_ssh_url: text, http_url: text, web_url: text, url: text },
}
const repository = z
  .object({ ...names, ...urls })
  .nullish()
  .catch(null)
const claim = z.object({ repository, project: repository })

/** Decoding a form takes much longer than scanning JSON. */
const maxFormBytes = 2 ** 20

/**
 * Returns the lookup keys of the repository that a delivery names, before its signature is verified: they tell which
 * secrets to try, and nothing more. Returns none for a malformed payload.
 */
export async function claimedKeys(
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
): Promise<string[]> {
  if (isForm(headers) && rawBody.length > maxFormBytes) return []
  try {
    const payload = isForm(headers) ? formPayload(rawBody) : rawBody
    const reduced = await topLevelValues(payload, ['action', 'changes', 'repository', 'project'])
    return keysOf(JSON.parse(reduced), headers)
  } catch {
    return []
  }
}

function keysOf(payload: unknown, headers: IncomingHttpHeaders): string[] {
  const claims = Object.values(claim.parse(payload))
  const found = claims.flatMap((one) => Object.keys(urls).map((name) => one?.[name as 'url']))
  const keys = remoteKeys(found)
  if (keys.length === 0) keys.push(...remoteKeys(claims.flatMap((one) => pathUrls(one, headers))))
  if (header(headers, 'x-github-event') !== 'repository') return keys
  const renamed = parseGithubRename(payload)
  return renamed ? [...keys, renamed.fromKey] : keys
}

/** Returns URLs for a repository that the payload names by its path only. */
function pathUrls(one: z.output<typeof repository>, headers: IncomingHttpHeaders): string[] {
  const githubHost = header(headers, 'x-github-enterprise-host') || 'github.com'
  const gitlabHost = instanceHost(header(headers, 'x-gitlab-instance'))
  return [
    ...(one?.full_name ? [`https://${githubHost}/${one.full_name}`] : []),
    ...(one?.path_with_namespace ? [`https://${gitlabHost}/${one.path_with_namespace}`] : []),
  ]
}
