import { strictEqual } from 'node:assert'
import { createHmac, randomUUID } from 'node:crypto'
import { ask, type RequestOptions } from './ask.ts'
import { webhookSecret } from './stratad.ts'

export interface Push {
  /** URL of the repository, for example `https://git.example.com/team/shop.git`. */
  readonly url: string
  readonly branch: string
  readonly sha: string
}

/** Sends a push. Returns the milliseconds until the 202. Throws on any other response. */
export async function sendPush(port: number, push: RequestOptions): Promise<number> {
  const { status, text, ms } = await ask(port, push)
  strictEqual(status, 202, `a push was answered with ${status} ${text}`)
  strictEqual(JSON.parse(text).status, 'queued')
  return ms
}

/** Returns a signed push event of GitHub. */
export function signedPush({ url, branch, sha }: Push): RequestOptions {
  const body = JSON.stringify({
    ref: `refs/heads/${branch}`,
    before: '0'.repeat(40),
    after: sha,
    deleted: false,
    repository: {
      full_name: new URL(url).pathname.slice(1).replace(/\.git$/, ''),
      clone_url: url,
      html_url: url.replace(/\.git$/, ''),
    },
  })
  const signature = createHmac('sha256', webhookSecret).update(body).digest('hex')
  return {
    method: 'POST',
    path: '/api/v1/webhooks/github',
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${signature}`,
    },
  }
}
