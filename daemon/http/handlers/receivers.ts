import { notificationWire, statusesWire } from '../../api/receiver-to-json.ts'
import { redacted } from '../../domain/redacted.ts'
import type { HandlerDeps, Handlers } from '../call.ts'

type Names =
  | 'listNotifications'
  | 'addNotification'
  | 'removeNotification'
  | 'testNotification'
  | 'listServerNotifications'
  | 'addServerNotification'
  | 'removeServerNotification'
  | 'testServerNotification'
  | 'findStatuses'
  | 'setStatuses'
  | 'removeStatuses'

export function receiverHandlers({
  useCases: { receivers },
  closing,
}: HandlerDeps): Pick<Handlers, Names> {
  return {
    async listNotifications({ params }) {
      return { status: 200, body: (await receivers.listWebhooks(params.id)).map(notificationWire) }
    },

    async addNotification({ params, body, actor, res }) {
      const added = await receivers.addWebhook({ projectId: params.id, ...body }, actor)
      res.setHeader('Cache-Control', 'no-store')
      const signing_key = added.signingKey.reveal()
      return { status: 201, body: { ...notificationWire(added), signing_key } }
    },

    async removeNotification({ params, actor }) {
      await receivers.removeWebhook(params.id, params.notification, actor)
      return { status: 204 }
    },

    async testNotification({ params }) {
      const body = await receivers.testWebhook(params.id, params.notification, closing)
      return { status: 200, body }
    },

    async listServerNotifications() {
      return { status: 200, body: (await receivers.listWebhooks(null)).map(notificationWire) }
    },

    async addServerNotification({ body, actor, res }) {
      const added = await receivers.addWebhook({ projectId: null, ...body }, actor)
      res.setHeader('Cache-Control', 'no-store')
      const signing_key = added.signingKey.reveal()
      return { status: 201, body: { ...notificationWire(added), signing_key } }
    },

    async removeServerNotification({ params, actor }) {
      await receivers.removeWebhook(null, params.notification, actor)
      return { status: 204 }
    },

    async testServerNotification({ params }) {
      const body = await receivers.testWebhook(null, params.notification, closing)
      return { status: 200, body }
    },

    async findStatuses({ params }) {
      return { status: 200, body: statusesWire(await receivers.findStatuses(params.id)) }
    },

    async setStatuses({ params, body, actor }) {
      const { host, token, api_url: apiUrl, repository } = body
      const input = { projectId: params.id, host, token: redacted(token), apiUrl, repository }
      return { status: 201, body: statusesWire(await receivers.setStatuses(input, actor)) }
    },

    async removeStatuses({ params, actor }) {
      await receivers.removeStatuses(params.id, actor)
      return { status: 204 }
    },
  }
}
