import type * as z from 'zod'
import type { ReceiverView } from '../app/ground/use-cases.ts'
import type * as receivers from './receivers.ts'

export function notificationWire(view: ReceiverView): z.output<typeof receivers.notification> {
  const { id, url, events } = view.receiver
  return { id, url, events: [...events], ...deliveryWire(view) }
}

/** Throws if the receiver is a webhook. */
export function statusesWire(view: ReceiverView): z.output<typeof receivers.statuses> {
  const { kind, url, repository } = view.receiver
  if (kind === 'webhook') throw new Error('a webhook gets no statuses')
  return { host: kind, api_url: url, repository: repository ?? '', ...deliveryWire(view) }
}

function deliveryWire({ receiver: { deliveredAt, fault, createdAt }, waiting }: ReceiverView) {
  return {
    delivered_at: deliveredAt === null ? null : new Date(deliveredAt).toISOString(),
    fault,
    waiting,
    created_at: new Date(createdAt).toISOString(),
  }
}
