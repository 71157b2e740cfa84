/** The names that the client's commands offer for notifications and commit statuses. */
export { type NotificationEvent, notificationEvents, statusHosts } from '../domain/receivers.ts'
