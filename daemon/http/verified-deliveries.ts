import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { WebhookSecretUseCases } from '../app/ground/use-cases.ts'
import type { WebhookReach } from '../app/ground/webhook-reach.ts'
import { redacted } from '../domain/redacted.ts'
import { DaemonError } from '../errors.ts'
import type { Clock, Redacted } from '../ports.ts'
import { claimedKeys } from '../webhooks/claimed-repository.ts'
import type { WebhookHost } from '../webhooks/event.ts'
import { createFailureDelay } from './failure-delay.ts'
import { noWebhookSecret } from './handlers/about-daemon.ts'
import { createUnverifiedBodies } from './unverified-bodies.ts'

/** Reads webhook deliveries and verifies their signature. */
export interface VerifiedDeliveries {
  /** Throws `unavailable` without any webhook secret, `unauthorized` for an invalid signature. */
  read(host: WebhookHost, req: IncomingMessage): Promise<WebhookReach & { rawBody: Buffer }>
}

export function createVerifiedDeliveries(deps: {
  webhookSecret: Redacted | null
  webhookSecrets: Pick<WebhookSecretUseCases, 'exist' | 'listFor'>
  clock: Clock
}): VerifiedDeliveries {
  const { webhookSecret, webhookSecrets } = deps
  const bodies = createUnverifiedBodies(deps.clock)
  const delayFailure = createFailureDelay(deps.clock)
  const decoy = { projectId: 0, secret: redacted(randomBytes(32).toString('hex')) }

  /** Returns undefined for a wrong signature. */
  async function verified({ verify }: WebhookHost, req: IncomingMessage) {
    const { headers } = req
    const rawBody = await bodies.read(req)
    if (webhookSecret && verify(rawBody, headers, webhookSecret)) {
      return { rawBody, projectIds: null }
    }
    const found = await webhookSecrets.listFor(await claimedKeys(headers, rawBody))
    // The time of the answer must not tell whether a project has a secret.
    const candidates = found.length > 0 ? found : [decoy]
    const projectIds = candidates
      .filter(({ secret }) => verify(rawBody, headers, secret))
      .map(({ projectId }) => projectId)
    return projectIds.length > 0 ? { rawBody, projectIds } : undefined
  }

  return {
    async read(host, req) {
      if (!webhookSecret && !(await webhookSecrets.exist())) throw noWebhookSecret()
      // An unsigned delivery is refused before its body takes memory.
      const isSigned = host.isSigned(req.headers)
      const delivery = isSigned ? await verified(host, req) : undefined
      if (delivery) return delivery
      await delayFailure(req)
      throw new DaemonError(
        'unauthorized',
        isSigned ? wrongSignature : 'the delivery is not signed',
      )
    },
  }
}

const wrongSignature =
  'wrong signature: give the webhook the secret of its project or of SERVICE_WEBHOOK_SECRET, and the content type application/json'
