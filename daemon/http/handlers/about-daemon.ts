import { createOpenApi } from '../../api/openapi.ts'
import { DaemonError } from '../../errors.ts'
import { alreadySent, type HandlerDeps, type Handlers } from '../call.ts'

type Names =
  | 'readSetupStatus'
  | 'readWebhookSecret'
  | 'readSetupToken'
  | 'readIdentity'
  | 'readHealth'
  | 'readOpenApi'
  | 'readProxyConfig'

export function aboutDaemonHandlers({
  settings,
  proxyConfig,
  proxyPolls,
}: HandlerDeps): Pick<Handlers, Names> {
  const { version, token, webhookSecret } = settings
  const openApi = createOpenApi(version)
  return {
    readSetupStatus: () => ({
      status: 200,
      body: {
        version,
        auth_required: token.kind !== 'none',
        auto_token: token.kind === 'auto',
        webhook_secret_configured: webhookSecret !== null,
      },
    }),

    readWebhookSecret() {
      if (!webhookSecret) throw noWebhookSecret()
      return { status: 200, body: { webhook_secret: webhookSecret.reveal() } }
    },

    readSetupToken() {
      // Narrows the type: the access check has already refused the other kinds.
      if (token.kind !== 'auto') throw new DaemonError('not-found', 'no setup token')
      return { status: 200, body: { token: token.value.reveal() } }
    },

    readIdentity: ({ actor, visible }) => ({
      status: 200,
      body: {
        kind: actor.principal.kind,
        name: actor.operator,
        role: actor.principal.kind === 'token' ? actor.principal.role : 'admin',
        projects: visible && [...visible],
      },
    }),

    readHealth: () => ({ status: 200, body: { status: 'ok', version } }),

    readOpenApi: () => ({ status: 200, body: openApi }),

    async readProxyConfig({ req, res, actor }) {
      const { etag, body, version: received } = await proxyConfig.read()
      const reader = `${req.socket.remoteAddress} ${actor.operator}`
      res.once('finish', () => proxyPolls.note(reader, received))
      res.setHeader('ETag', etag)
      res.setHeader('Cache-Control', 'no-cache')
      if (proxyConfig.isFresh(req.headers['if-none-match'], etag)) return { status: 304 }
      res.setHeader('Content-Type', 'application/json; charset=utf-8')
      res.setHeader('Content-Length', body.length)
      res.end(body)
      return alreadySent
    },
  }
}

export function noWebhookSecret(): DaemonError {
  return new DaemonError(
    'unavailable',
    'webhooks are disabled: set SERVICE_WEBHOOK_SECRET, or create a webhook secret for a project',
  )
}
