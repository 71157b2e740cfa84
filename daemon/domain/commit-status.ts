import type { OutgoingRequest, Redacted } from '../ports.ts'
import type { Receiver, StatusHost } from './receivers.ts'

/** The state of a deploy, as a git host shows it beside a commit. */
export interface CommitStatus {
  readonly commitSha: string
  readonly branch: string
  readonly state: 'pending' | 'success' | 'failure'
  /** Name of the status, such as `strata/shop`. It has no branch, so that a rule of a git host can require it. */
  readonly context: string
  readonly description: string
  /** Address of the app; null if the deploy has none. */
  readonly targetUrl: string | null
}

/** GitHub refuses longer descriptions. GitLab and Gitea allow more. */
const maxDescription = 140

/** Returns the request that sets a status at the receiver's git host. `authorization` makes the header's value of a token. */
export function statusRequest(
  { kind, url, repository }: Pick<Receiver, 'url' | 'repository'> & { readonly kind: StatusHost },
  status: CommitStatus,
  authorization: (prefix: string) => Redacted,
): OutgoingRequest {
  const path = repository ?? ''
  const segments = path.split('/').map(encodeURIComponent).join('/')
  const { commitSha, context, state } = status
  const common = {
    description: status.description.slice(0, maxDescription),
    ...(status.targetUrl !== null && { target_url: status.targetUrl }),
  }
  switch (kind) {
    case 'github':
      return {
        url: `${url}/repos/${segments}/statuses/${commitSha}`,
        headers: {
          authorization: authorization('Bearer '),
          accept: 'application/vnd.github+json',
          'x-github-api-version': '2022-11-28',
        },
        body: JSON.stringify({ state, context, ...common }),
      }
    case 'gitlab':
      return {
        url: `${url}/projects/${encodeURIComponent(path)}/statuses/${commitSha}`,
        headers: { 'private-token': authorization('') },
        body: JSON.stringify({
          state: gitlabStates[state],
          name: context,
          ref: status.branch,
          ...common,
        }),
      }
    case 'gitea':
      return {
        url: `${url}/repos/${segments}/statuses/${commitSha}`,
        headers: { authorization: authorization('token ') },
        body: JSON.stringify({ state, context, ...common }),
      }
  }
}

const gitlabStates = { pending: 'running', success: 'success', failure: 'failed' } as const

/** Returns true if the host shows the status already: GitLab refuses to set a state twice. */
export function isSameStatus(kind: StatusHost, answer: { status: number; body: string }): boolean {
  return (
    kind === 'gitlab' && answer.status === 400 && answer.body.includes('Cannot transition status')
  )
}

/** Returns the base URL of a host's API, derived from the name of the host that serves its repositories. */
export function defaultApiUrl(kind: StatusHost, host: string): string {
  if (kind === 'github') {
    return host === 'github.com' ? 'https://api.github.com' : `https://${host}/api/v3`
  }
  return `https://${host}/api/${kind === 'gitlab' ? 'v4' : 'v1'}`
}
