import { payloadOf, readDelivery } from './payload.ts'
import { header, isHmac } from './signature.ts'
import type { WebhookHost } from './webhooks.ts'

const signature = 'x-gitea-signature'

/** Gitea: `X-Gitea-Signature: <hex>`. It sends GitHub's and Gogs's headers along, which are not looked at. */
export const gitea: WebhookHost = {
  isSigned: (headers) => header(headers, signature) !== '',
  verify: (rawBody, headers, secret) => isHmac(header(headers, signature), rawBody, secret),
  parse: (headers, rawBody) =>
    readDelivery(
      header(headers, 'x-gitea-event'),
      header(headers, 'x-gitea-delivery'),
      payloadOf(rawBody),
      null,
    ),
}
