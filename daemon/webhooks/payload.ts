import * as z from 'zod'
import { branch } from '../api/fields.ts'
import { DaemonError } from '../errors.ts'
import { normalizeRemote } from '../git/remote-url.ts'
import type { Push, WebhookEvent } from './webhooks.ts'

const text = z.string().max(4096)

/** What the payloads of all hosts but GitLab have in common; everything else is passed over. */
const delivery = z.object({
  ref: text,
  ref_type: text.optional(),
  after: text.nullish(),
  deleted: z.boolean().optional(),
  repository: z.object({
    full_name: text.optional(),
    clone_url: text.nullish(),
    ssh_url: text.nullish(),
    git_url: text.nullish(),
    html_url: text.nullish(),
  }),
})
export type Delivery = z.output<typeof delivery>

const named = z.object({ ref: branch })

/** JSON of the raw bytes. Throws DaemonError `bad-request`. */
export function payloadOf(rawBody: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody))
  } catch {
    throw new DaemonError('bad-request', 'the payload is not JSON in UTF-8')
  }
}

/** The payload as the schema has it. Throws DaemonError `bad-request` that names the first field at fault. */
export function read<S extends z.ZodType>(schema: S, payload: unknown): z.output<S> {
  const result = schema.safeParse(payload)
  if (result.success) return result.data
  const path = result.error.issues[0]?.path.join('.')
  throw new DaemonError('bad-request', `the payload has no usable ${path || 'object'}`)
}

/**
 * A delivery in the words GitHub, Gitea and Gogs share: `push` (a deletion too), and `delete` for a branch.
 * `fallbackHost` names the repository when the payload has no URL of it.
 */
export function readDelivery(
  event: string,
  deliveryId: string,
  payload: unknown,
  fallbackHost: string | null,
): WebhookEvent {
  if (event !== 'push' && event !== 'delete') return ignored(event)
  const { ref, ref_type, after, deleted, repository } = read(delivery, payload)
  const branch =
    event === 'push' ? branchOf(ref) : ref_type === 'branch' ? (branchOf(ref) ?? ref) : undefined
  if (branch === undefined) return { kind: 'ignored', why: 'tags start no deploy' }
  const { clone_url, ssh_url, git_url, html_url, full_name } = repository
  const keys = remoteKeys([clone_url, ssh_url, git_url, html_url])
  const named = fallbackHost && full_name ? [`https://${fallbackHost}/${full_name}`] : []
  return push({
    branch,
    isDeleted: event === 'delete' || deleted === true || isZeros(after),
    remoteKeys: keys.length > 0 ? keys : remoteKeys(named),
    deliveryId,
  })
}

/** A push, its branch checked. One id may stand for several branches, so the branch is part of it. */
export function push(found: Omit<Push, 'kind'> & { deliveryId: string }): Push {
  const name = read(named, { ref: found.branch }).ref
  const deliveryId = found.deliveryId === '' ? null : `${found.deliveryId.slice(0, 200)}:${name}`
  return { ...found, kind: 'push', branch: name, deliveryId }
}

export function ignored(event: string): WebhookEvent {
  const name = event === '' ? 'unnamed' : event.slice(0, 80)
  return { kind: 'ignored', why: `${name} events start no deploy` }
}

/** `main` for `refs/heads/main`, undefined for tags and other refs. */
export function branchOf(ref: string): string | undefined {
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined
}

/** What hosts put in the place of a commit that is no more: SHA-1's 40 zeros or SHA-256's 64. */
export function isZeros(sha: string | null | undefined): boolean {
  return /^(0{40}|0{64})$/.test(sha ?? '')
}

/** The keys that projects are found by, of those URLs that are one of a remote. */
export function remoteKeys(urls: readonly (string | null | undefined)[]): string[] {
  return [...new Set(urls.flatMap((url) => (url ? keyOf(url) : [])))]
}

function keyOf(url: string): string[] {
  try {
    // A host that serves itself over plain HTTP or git:// is still the same repository by the same name.
    return [normalizeRemote(url.replace(/^(http|git):\/\//i, 'https://')).key]
  } catch (error) {
    if (error instanceof DaemonError) return []
    throw error
  }
}
