import type { WebhookHost } from './event.ts'
import { parseJson, readDelivery } from './payload.ts'
import { header, isHmac } from './signature.ts'

/** Gitea also sends the headers of GitHub and Gogs; they are ignored. */
export const gitea = createHexSignedHost('gitea')
export const gogs = createHexSignedHost('gogs')

/** Returns the adapter of a git host whose signature is `X-<name>-Signature: <hex>`. */
function createHexSignedHost(name: string): WebhookHost {
  const signature = `x-${name}-signature`
  return {
    isSigned: (headers) => header(headers, signature) !== '',
    verify: (rawBody, headers, secret) => isHmac(header(headers, signature), rawBody, secret),
    parse: (headers, rawBody) =>
      readDelivery(
        header(headers, `x-${name}-event`),
        header(headers, `x-${name}-delivery`),
        parseJson(rawBody),
        { nameOf: ({ username, login }) => username || login },
      ),
  }
}
