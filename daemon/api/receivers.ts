import * as z from 'zod'
import { notificationEvents, statusHosts } from '../domain/receivers.ts'
import { id, idText, line, time } from './fields.ts'

const event = z.enum(notificationEvents)
const url = line(2_048)

export const addNotification = z.strictObject({
  url,
  /** Default: all events of a project, or certificates and backups of the server. */
  events: z.array(event).min(1).max(notificationEvents.length).optional(),
})

export const notificationParams = z.strictObject({ notification: idText })
export const projectNotificationParams = z.strictObject({ id: idText, notification: idText })

const delivery = {
  /** Time of the newest accepted message. */
  delivered_at: time.nullable(),
  /** Reason for the newest failure; `null` after a success. */
  fault: z.string().nullable(),
  /** Number of messages that wait for their next attempt. */
  waiting: z.int().min(0),
  created_at: time,
}

export const notification = z.strictObject({ id, url, events: z.array(event), ...delivery })

export const addedNotification = notification.extend({
  /** Key of the signatures, shown only now. */
  signing_key: z.string(),
})

export const testedNotification = z.strictObject({
  /** HTTP status with which the receiver accepted the test. */
  status: z.int(),
})

export const setStatuses = z.strictObject({
  host: z.enum(statusHosts),
  /** API token of the git host. It never leaves the daemon again, except to this host. */
  token: line(1_024).regex(/^[\x21-\x7e]+$/, 'must be visible ASCII without spaces'),
  /** Base URL of the API. Default: derived from the remote of the project. */
  api_url: url.optional(),
  /** Path of the repository at the host, such as `acme/shop`. Default: from the remote of the project. */
  repository: line(512).optional(),
})

export const statuses = z.strictObject({
  host: z.enum(statusHosts),
  api_url: url,
  repository: z.string(),
  ...delivery,
})
