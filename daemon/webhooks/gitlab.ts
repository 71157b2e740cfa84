import * as z from 'zod'
import { branchOf, ignored, isZeros, payloadOf, push, read, remoteKeys } from './payload.ts'
import { gitlabRenamed } from './renames.ts'
import { header, isSecret } from './signature.ts'
import type { WebhookHost } from './webhooks.ts'

const token = 'x-gitlab-token'
const text = z.string().max(4096)
const url = text.nullish()

const named = z.object({ object_kind: text.optional(), event_name: text.optional() })
const pushed = z.object({
  ref: text,
  after: text.nullish(),
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
 * GitLab: `X-Gitlab-Token` is the secret itself. A deletion is a push to all zeros; system hooks word pushes the same.
 * `Idempotency-Key` is of one delivery and its repeats; `X-Gitlab-Webhook-UUID` is of the webhook and says nothing here.
 */
export const gitlab: WebhookHost = {
  isSigned: (headers) => header(headers, token) !== '',

  verify: (_rawBody, headers, secret) => isSecret(header(headers, token), secret),

  parse(headers, rawBody) {
    const payload = payloadOf(rawBody)
    const { object_kind, event_name } = read(named, payload)
    const kind = object_kind ?? event_name ?? kindOf(header(headers, 'x-gitlab-event'))
    const host = hostOf(header(headers, 'x-gitlab-instance'))
    if (kind === 'project_rename' || kind === 'project_transfer') {
      return gitlabRenamed(payload, host) ?? ignored(kind)
    }
    if (kind !== 'push') return ignored(kind)
    const { ref, after, project, repository } = read(pushed, payload)
    const branch = branchOf(ref)
    if (branch === undefined) return { kind: 'ignored', why: 'tags start no deploy' }
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
    return push({
      branch,
      isDeleted: isZeros(after),
      remoteKeys: keys.length > 0 || !path ? keys : remoteKeys([`https://${host}/${path}`]),
      deliveryId: header(headers, 'idempotency-key') || header(headers, 'x-gitlab-event-uuid'),
    })
  },
}

/** `push` for `Push Hook`. */
function kindOf(event: string): string {
  return event.replace(/ Hook$/, '').toLowerCase()
}

function hostOf(instance: string): string {
  return URL.canParse(instance) ? new URL(instance).host : 'gitlab.com'
}
