import { payloadOf, readDelivery } from './payload.ts'
import { header, isHmac } from './signature.ts'
import type { WebhookHost } from './webhooks.ts'

const signature = 'x-gogs-signature'

/** Gogs: `X-Gogs-Signature: <hex>`. */
export const gogs: WebhookHost = {
  isSigned: (headers) => header(headers, signature) !== '',
  verify: (rawBody, headers, secret) => isHmac(header(headers, signature), rawBody, secret),
  parse: (headers, rawBody) =>
    readDelivery(
      header(headers, 'x-gogs-event'),
      header(headers, 'x-gogs-delivery'),
      payloadOf(rawBody),
      null,
    ),
}
