import type { HandlerDeps, Handlers } from '../call.ts'

type Names = 'createWebhookSecret' | 'removeWebhookSecret'

export function webhookSecretHandlers({ useCases }: HandlerDeps): Pick<Handlers, Names> {
  const { webhookSecrets } = useCases
  return {
    async createWebhookSecret({ params, actor, res }) {
      const secret = await webhookSecrets.create(params.id, actor)
      res.setHeader('Cache-Control', 'no-store')
      return { status: 201, body: { webhook_secret: secret.reveal() } }
    },

    async removeWebhookSecret({ params, actor }) {
      await webhookSecrets.remove(params.id, actor)
      return { status: 204 }
    },
  }
}
