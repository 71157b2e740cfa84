import { strictEqual } from 'node:assert'
import { createHmac, randomUUID } from 'node:crypto'
import { ask, type Question } from './ask.ts'
import { webhookSecret } from './stratad.ts'

export interface Push {
  /** Of the repository, as `https://git.example.com/team/shop.git`. */
  readonly url: string
  readonly branch: string
  readonly sha: string
}

/** Sends a push; gives how long the 202 took, in milliseconds. Throws on another answer. */
export async function sendPush(port: number, push: Question): Promise<number> {
  const { status, text, ms } = await ask(port, push)
  strictEqual(status, 202, `a push was answered with ${status} ${text}`)
  strictEqual(JSON.parse(text).status, 'queued')
  return ms
}

/** A push as GitHub tells it, signed. */
export function signedPush({ url, branch, sha }: Push): Question {
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
