import type { Request } from 'express'
import type { ReplyOf, RouteOf } from '../../api/route-table.ts'
import type { Actor, PushOutcome } from '../../app/ground/use-cases.ts'
import type { WebhookReach } from '../../app/ground/webhook-reach.ts'
import { DaemonError } from '../../errors.ts'
import type { HostName, Push } from '../../webhooks/event.ts'
import { webhookHosts } from '../../webhooks/webhooks.ts'
import type { HandlerDeps, Handlers } from '../call.ts'
import { createVerifiedDeliveries } from '../verified-deliveries.ts'

type Names = 'githubWebhook' | 'gitlabWebhook' | 'giteaWebhook' | 'gogsWebhook'
type Reply = ReplyOf<RouteOf<'githubWebhook'>>
type Sender = WebhookReach & { readonly host: HostName; readonly actor: Actor }

export function webhookHandlers(deps: HandlerDeps): Pick<Handlers, Names> {
  const { deploys, webhookSecrets } = deps.useCases
  const { webhookSecret } = deps.settings
  const deliveries = createVerifiedDeliveries({ webhookSecret, webhookSecrets, clock: deps.clock })

  const receive =
    (name: HostName) =>
    async ({ req, actor }: { req: Request; actor: Actor }): Promise<Reply> => {
      const { rawBody, projectIds } = await deliveries.read(webhookHosts[name], req)
      const event = webhookHosts[name].parse(req.headers, rawBody)
      if (event.kind === 'ignored')
        return { status: 200, body: { status: 'ignored', why: event.why } }
      const pusher = event.kind === 'push' && event.pusher !== null ? `:${event.pusher}` : ''
      const sender = { ...actor, operator: `webhook:${name}${pusher}` }
      if (event.kind === 'renamed') {
        const project_ids = await deps.useCases.projects.rename({ ...event, projectIds }, sender)
        if (project_ids.length === 0) throw unknownRepository()
        return { status: 200, body: { status: 'renamed', project_ids } }
      }
      return toReply(await push(event, { host: name, projectIds, actor: sender }))
    }

  /** Try each name that the git host gives the repository. */
  async function push(event: Push, sender: Sender): Promise<PushOutcome> {
    const { branch, isDeleted, deliveryId } = event
    for (const remoteKey of event.remoteKeys) {
      const outcome = await deploys.push({ remoteKey, branch, isDeleted, deliveryId, ...sender })
      if (outcome.kind !== 'unknown-repository') return outcome
    }
    return { kind: 'unknown-repository' }
  }

  return {
    githubWebhook: receive('github'),
    gitlabWebhook: receive('gitlab'),
    giteaWebhook: receive('gitea'),
    gogsWebhook: receive('gogs'),
  }
}

function toReply(outcome: PushOutcome): Reply {
  switch (outcome.kind) {
    case 'queued':
      return { status: 202, body: { status: 'queued', project_ids: [...outcome.projectIds] } }
    case 'destroyed':
      return {
        status: 202,
        body: { status: 'destroyed', environment_ids: [...outcome.environmentIds] },
      }
    case 'ignored':
      return { status: 200, body: { status: 'ignored', why: outcome.why } }
    case 'unknown-repository':
      throw unknownRepository()
  }
}

function unknownRepository(): DaemonError {
  return new DaemonError('not-found', 'no project has this repository')
}
