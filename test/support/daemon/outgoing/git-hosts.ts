import * as z from 'zod'
import type { StatusHost } from '../../../../daemon/domain/receivers.ts'
import { type Answer, type Received, type StandIn, startStandIn } from './stand-in.ts'

/**
 * Stand-ins of GitHub, GitLab and Gitea: no test talks to the real ones. Paths, headers and bodies are checked against
 * what the OpenAPI documents of the hosts say about the route that creates a commit status. The answers have the shapes
 * of recorded ones.
 */
const hosts: Readonly<Record<StatusHost, Host>> = {
  // `repos/create-commit-status` of github/rest-api-description.
  github: {
    path: /^\/repos\/acme\/shop\/statuses\/([0-9a-f]{40})$/,
    token: ({ authorization }) => authorization?.replace(/^Bearer /, ''),
    headers: z.object({
      accept: z.literal('application/vnd.github+json'),
      'user-agent': z.string().min(1),
      'content-type': z.literal('application/json'),
    }),
    body: z.strictObject({
      state: z.enum(['error', 'failure', 'pending', 'success']),
      target_url: z.url().nullable().optional(),
      description: z.string().max(140).nullable().optional(),
      context: z.string().optional(),
    }),
    created: (sha, body) => ({ id: 1, node_id: 'SC_1', url: `/statuses/${sha}`, ...body }),
  },
  // `postApiV4ProjectsIdStatusesSha` of GitLab's openapi_v2.yaml.
  gitlab: {
    path: /^\/projects\/acme%2Fshop\/statuses\/([0-9a-f]{40})$/,
    token: (headers) => headers['private-token']?.toString(),
    headers: z.object({ 'content-type': z.literal('application/json') }),
    body: z.strictObject({
      state: z.enum(['pending', 'running', 'success', 'failed', 'canceled', 'skipped']),
      ref: z.string().optional(),
      name: z.string().optional(),
      target_url: z.url().optional(),
      description: z.string().max(255).optional(),
    }),
    created: (sha, { state, ...body }) => ({ id: 1, sha, status: state, ...body }),
  },
  // `repoCreateStatus` with `CreateStatusOption` of Gitea's swagger.v1.json.
  gitea: {
    path: /^\/repos\/acme\/shop\/statuses\/([0-9a-f]{40})$/,
    token: ({ authorization }) => authorization?.replace(/^token /, ''),
    headers: z.object({ 'content-type': z.literal('application/json') }),
    body: z.strictObject({
      state: z.enum(['pending', 'success', 'error', 'failure', 'warning']),
      target_url: z.url().optional(),
      description: z.string().optional(),
      context: z.string().optional(),
    }),
    created: (_sha, { state, ...body }) => ({ id: 1, status: state, ...body }),
  },
}

interface Host {
  /** Captures the commit. */
  readonly path: RegExp
  readonly token: (headers: Received['headers']) => string | undefined
  readonly headers: z.ZodType
  readonly body: z.ZodType<Record<string, unknown>>
  readonly created: (sha: string, body: Record<string, unknown>) => object
}

/** Starts a stand-in of a git host. It answers 401 to other tokens, 404 to other paths and 422 to invalid bodies. */
export function startGitHost(kind: StatusHost, token: string): Promise<StandIn> {
  const host = hosts[kind]
  return startStandIn(({ method, path, headers, body }): Answer => {
    const [, sha] = host.path.exec(path) ?? []
    if (host.token(headers) !== token) return { status: 401, body: { message: 'Bad credentials' } }
    if (method !== 'POST' || sha === undefined)
      return { status: 404, body: { message: 'Not Found' } }
    const parsed = host.body.safeParse(JSON.parse(body))
    if (!parsed.success || !host.headers.safeParse(headers).success) {
      return { status: 422, body: { message: 'Validation Failed' } }
    }
    return { status: 201, body: host.created(sha, parsed.data) }
  })
}
