import * as z from 'zod'
import type { WebhookHost } from './event.ts'
import {
  branchOf,
  createPush,
  ignoredEvent,
  ignoredTag,
  isZeroSha,
  parseFields,
  parseJson,
  printableName,
  remoteKeys,
} from './payload.ts'
import { parseGitlabRename } from './renames.ts'
import { header, isSecret } from './signature.ts'

const token = 'x-gitlab-token'
const text = z.string().max(4096)
const url = text.nullish()

const eventFields = z.object({ object_kind: text.optional(), event_name: text.optional() })
const pushFields = z.object({
  ref: text,
  after: text.nullish(),
  user_username: z.string().nullish().catch(null),
  project: z
    .object({
      path_with_namespace: text.optional(),
      git_http_url: url,
      git_ssh_url: url,
      http_url: url,
      ssh_url: url,
      web_url: url,
    })
    .optional(),
  repository: z.object({ git_http_url: url, git_ssh_url: url, url, homepage: url }).optional(),
})

/**
 * GitLab sends the secret itself in `X-Gitlab-Token`. A deletion is a push to an all-zero commit. System hooks have the
 * same push payload. `Idempotency-Key` identifies a delivery; `X-Gitlab-Webhook-UUID` identifies the webhook and is
 * ignored.
 */
export const gitlab: WebhookHost = {
  isSigned: (headers) => header(headers, token) !== '',

  verify: (_rawBody, headers, secret) => isSecret(header(headers, token), secret),

  parse(headers, rawBody) {
    const payload = parseJson(rawBody)
    const { object_kind, event_name } = parseFields(eventFields, payload)
    const kind = object_kind ?? event_name ?? kindOf(header(headers, 'x-gitlab-event'))
    const host = instanceHost(header(headers, 'x-gitlab-instance'))
    if (kind === 'project_rename' || kind === 'project_transfer') {
      return parseGitlabRename(payload, host) ?? ignoredEvent(kind)
    }
    if (kind !== 'push') return ignoredEvent(kind)
    const fields = parseFields(pushFields, payload)
    const { ref, after, project, repository, user_username } = fields
    const branch = branchOf(ref)
    if (branch === undefined) return ignoredTag
    const keys = remoteKeys([
      project?.git_http_url,
      project?.git_ssh_url,
      project?.http_url,
      project?.ssh_url,
      project?.web_url,
      repository?.git_http_url,
      repository?.git_ssh_url,
      repository?.url,
      repository?.homepage,
    ])
    const path = project?.path_with_namespace
    return createPush({
      branch,
      isDeleted: isZeroSha(after),
      remoteKeys: keys.length > 0 || !path ? keys : remoteKeys([`https://${host}/${path}`]),
      deliveryId: header(headers, 'idempotency-key') || header(headers, 'x-gitlab-event-uuid'),
      pusher: printableName(user_username),
    })
  },
}

/** Returns `push` for `Push Hook`. */
function kindOf(event: string): string {
  return event.replace(/ Hook$/, '').toLowerCase()
}

/** Returns the host name of a GitLab instance's URL; `gitlab.com` without one. */
export function instanceHost(instance: string): string {
  return URL.canParse(instance) ? new URL(instance).host : 'gitlab.com'
}
