import type { WebhookHost } from './event.ts'
import { formPayload, isForm } from './form.ts'
import { ignoredEvent, parseJson, readDelivery } from './payload.ts'
import { parseGithubRename } from './renames.ts'
import { header, isHmac } from './signature.ts'

const signature = 'x-hub-signature-256'

/** GitHub signs with `X-Hub-Signature-256: sha256=<hex>` and sends JSON or a form with the field `payload`. */
export const github: WebhookHost = {
  isSigned: (headers) => header(headers, signature) !== '',

  verify(rawBody, headers, secret) {
    const given = header(headers, signature)
    return given.startsWith('sha256=') && isHmac(given.slice('sha256='.length), rawBody, secret)
  },

  parse(headers, rawBody) {
    const event = header(headers, 'x-github-event')
    const payload = parseJson(isForm(headers) ? formPayload(rawBody) : rawBody)
    if (event === 'repository') return parseGithubRename(payload) ?? ignoredEvent(event)
    return readDelivery(event, header(headers, 'x-github-delivery'), payload, {
      fallbackHost: header(headers, 'x-github-enterprise-host') || 'github.com',
      nameOf: ({ name }) => name,
    })
  },
}
