import type { Effort } from './effort.ts'
import { quantile, type Report } from './figure.ts'
import { sendPush, signedPush } from './github-push.ts'
import type { Hosting } from './hosting.ts'
import { untilQueueIsEmpty, webhookTargetMs } from './pushes.ts'

const branches = ['main', 'feature-1', 'feature-2']

/** Measures consecutive pushes of three branches, while the daemon deploys earlier ones. */
export async function measureWebhooks(hosting: Hosting, { webhooks }: Effort): Promise<Report> {
  const { daemon } = hosting
  const { url, commits, projectId } = await hosting.register('hooks', branches)
  const answersMs: number[] = []
  for (let index = 0; index < webhooks; index += 1) {
    const branch = branches[index % branches.length] ?? 'main'
    const sha = commits.get(branch) ?? ''
    answersMs.push(await sendPush(daemon.port, signedPush({ url, branch, sha })))
  }
  await untilQueueIsEmpty(hosting)
  await daemon.call(204, { method: 'DELETE', path: `/api/v1/projects/${projectId}` })
  const of = `${webhooks} one by one, while the daemon deploys`
  return {
    figures: [
      { what: 'webhook → 202, p50', value: quantile(answersMs, 0.5), unit: 'ms', of },
      {
        what: 'webhook → 202, p99',
        value: quantile(answersMs, 0.99),
        unit: 'ms',
        target: { atMost: webhookTargetMs },
        of,
      },
    ],
  }
}
