import * as z from 'zod'
import { branch } from '../api/fields.ts'
import { DaemonError } from '../errors.ts'
import { normalizeRemote } from '../git/remote-url.ts'
import type { Push, WebhookEvent } from './event.ts'

const text = z.string().max(4096)
/** Schema of a person's name. A value of another type is ignored. */
const personName = z.string().nullish().catch(null)
const person = z
  .object({ name: personName, username: personName, login: personName })
  .nullish()
  .catch(null)

/** Schema of the fields that GitHub, Gitea and Gogs share. Other fields are ignored. */
const deliveryFields = z.object({
  ref: text,
  ref_type: text.optional(),
  after: text.nullish(),
  deleted: z.boolean().optional(),
  pusher: person,
  sender: person,
  repository: z.object({
    full_name: text.optional(),
    clone_url: text.nullish(),
    ssh_url: text.nullish(),
    git_url: text.nullish(),
    html_url: text.nullish(),
  }),
})

const branchFields = z.object({ ref: branch })

/** Parses UTF-8 JSON. Throws DaemonError `bad-request` if the bytes are not valid UTF-8 or JSON. */
export function parseJson(rawBody: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody))
  } catch {
    throw new DaemonError(
      'bad-request',
      'the payload is not UTF-8 JSON: set the content type of the webhook to application/json',
    )
  }
}

/** Returns the schema's fields of a payload. Throws DaemonError `bad-request` naming the first invalid field. */
export function parseFields<S extends z.ZodType>(schema: S, payload: unknown): z.output<S> {
  const result = schema.safeParse(payload)
  if (result.success) return result.data
  const path = result.error.issues[0]?.path.join('.')
  throw new DaemonError('bad-request', `the payload has no valid ${path || 'object'}`)
}

type Person = z.output<typeof person>

/**
 * Reads a delivery of GitHub, Gitea or Gogs: `push` (creation, update or deletion) and `delete` of a branch. If the
 * payload has no repository URL, `fallbackHost` and `full_name` identify the repository. `nameOf` returns the login name of
 * the payload's `pusher`; if there is none, `sender` is the person who pushed.
 */
export function readDelivery(
  event: string,
  deliveryId: string,
  payload: unknown,
  {
    fallbackHost = null,
    nameOf,
  }: { fallbackHost?: string | null; nameOf: (pusher: NonNullable<Person>) => unknown },
): WebhookEvent {
  if (event !== 'push' && event !== 'delete') return ignoredEvent(event)
  const fields = parseFields(deliveryFields, payload)
  const { ref, ref_type, after, deleted, repository, pusher, sender } = fields
  const branch =
    event === 'push' ? branchOf(ref) : ref_type === 'branch' ? (branchOf(ref) ?? ref) : undefined
  if (branch === undefined) return ignoredTag
  const { clone_url, ssh_url, git_url, html_url, full_name } = repository
  const keys = remoteKeys([clone_url, ssh_url, git_url, html_url])
  const fallbackUrls = fallbackHost && full_name ? [`https://${fallbackHost}/${full_name}`] : []
  return createPush({
    branch,
    isDeleted: event === 'delete' || deleted === true || isZeroSha(after),
    remoteKeys: keys.length > 0 ? keys : remoteKeys(fallbackUrls),
    deliveryId,
    pusher: printableName(pusher && nameOf(pusher)) ?? printableName(sender?.login),
  })
}

/**
 * Returns a push with a validated branch name. A host may send one delivery id for several branches, so the branch name
 * is appended to the id.
 */
export function createPush(fields: Omit<Push, 'kind'> & { deliveryId: string }): Push {
  const name = parseFields(branchFields, { ref: fields.branch }).ref
  const deliveryId = fields.deliveryId === '' ? null : `${fields.deliveryId.slice(0, 200)}:${name}`
  return { ...fields, kind: 'push', branch: name, deliveryId }
}

/** Returns the first 64 characters without control and format characters and line breaks, or null if nothing is left. */
export function printableName(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const printable = name.slice(0, 4096).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
  return Array.from(printable.trim()).slice(0, 64).join('').trim() || null
}

export const ignoredTag: WebhookEvent = { kind: 'ignored', why: 'tags start no deploy' }

export function ignoredEvent(event: string): WebhookEvent {
  const name = event === '' ? 'unnamed' : event.slice(0, 80)
  return { kind: 'ignored', why: `${name} events start no deploy` }
}

/** Returns `main` for `refs/heads/main`, undefined for tags and other refs. */
export function branchOf(ref: string): string | undefined {
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined
}

/** Returns true for the all-zero commit of a deletion: 40 zeros (SHA-1) or 64 (SHA-256). */
export function isZeroSha(sha: string | null | undefined): boolean {
  return /^(0{40}|0{64})$/.test(sha ?? '')
}

/** Returns the project lookup keys of the URLs, without duplicates. Invalid URLs are left out. */
export function remoteKeys(urls: readonly (string | null | undefined)[]): string[] {
  return [...new Set(urls.flatMap((url) => (url ? keyOf(url) : [])))]
}

function keyOf(url: string): string[] {
  try {
    // A self-hosted server may send http:// or git:// URLs: both identify the same repository as https://.
    return [normalizeRemote(url.replace(/^(http|git):\/\//i, 'https://')).key]
  } catch (error) {
    if (error instanceof DaemonError) return []
    throw error
  }
}
