import type { Request } from 'express'
import type { ReplyOf, RouteOf } from '../../api/route-table.ts'
import type { Actor, PushOutcome } from '../../app/ground/use-cases.ts'
import { DaemonError } from '../../errors.ts'
import type { Redacted } from '../../ports.ts'
import type { HostName, Push } from '../../webhooks/event.ts'
import { webhookHosts } from '../../webhooks/webhooks.ts'
import type { HandlerDeps, Handlers } from '../call.ts'
import { createUnverifiedBodies } from '../unverified-bodies.ts'
import { noWebhookSecret } from './about-daemon.ts'

type Names = 'githubWebhook' | 'gitlabWebhook' | 'giteaWebhook' | 'gogsWebhook'
type Reply = ReplyOf<RouteOf<'githubWebhook'>>

export function webhookHandlers(deps: HandlerDeps): Pick<Handlers, Names> {
  const { deploys } = deps.useCases
  const { webhookSecret } = deps.settings
  const bodies = createUnverifiedBodies(deps.clock)

  const receive =
    (name: HostName) =>
    async ({ req, actor }: { req: Request; actor: Actor }): Promise<Reply> => {
      if (!webhookSecret) throw noWebhookSecret()
      const rawBody = await verifiedBody(name, req, webhookSecret)
      const event = webhookHosts[name].parse(req.headers, rawBody)
      if (event.kind === 'ignored')
        return { status: 200, body: { status: 'ignored', why: event.why } }
      const pusher = event.kind === 'push' && event.pusher !== null ? `:${event.pusher}` : ''
      const sender = { ...actor, operator: `webhook:${name}${pusher}` }
      if (event.kind === 'renamed') {
        const project_ids = await deps.useCases.projects.rename(event, sender)
        if (project_ids.length === 0) throw unknownRepository()
        return { status: 200, body: { status: 'renamed', project_ids } }
      }
      return toReply(await push(event, name, sender))
    }

  async function verifiedBody(name: HostName, req: Request, secret: Redacted): Promise<Buffer> {
    const { isSigned, verify } = webhookHosts[name]
    // An unsigned delivery is refused before its body takes memory.
    if (!isSigned(req.headers)) throw new DaemonError('unauthorized', 'the delivery is not signed')
    const rawBody = await bodies.read(req)
    if (verify(rawBody, req.headers, secret)) return rawBody
    throw new DaemonError(
      'unauthorized',
      'wrong signature: give the webhook the secret of SERVICE_WEBHOOK_SECRET and the content type application/json',
    )
  }

  /** Try each name that the git host gives the repository. */
  async function push(event: Push, host: HostName, actor: Actor): Promise<PushOutcome> {
    const { branch, isDeleted, deliveryId } = event
    for (const remoteKey of event.remoteKeys) {
      const input = { remoteKey, branch, isDeleted, host, deliveryId, actor }
      const outcome = await deploys.push(input)
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
