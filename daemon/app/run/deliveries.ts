import { type CommitStatus, isSameStatus, statusRequest } from '../../domain/commit-status.ts'
import type { OutgoingMessage, Receiver } from '../../domain/receivers.ts'
import { redacted } from '../../domain/redacted.ts'
import { deliveryAttempts, deliveryDelayMs } from '../../domain/retry.ts'
import { signatureHeaders } from '../../domain/sign-notification.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Logger, OutgoingRequest, Sender, Store, Vault } from '../../ports.ts'
import { givenUpRow } from '../ground/announce.ts'

/** Outcome of one attempt. `fault` is shown to users. */
export type Attempt =
  | { readonly kind: 'accepted'; readonly status: number }
  | { readonly kind: 'failed'; readonly fault: string; readonly retryAfterMs: number }

/** Delivers the stored messages of receivers. */
export interface Deliveries {
  start(): void
  /** Aborts open requests. Their messages stay stored. */
  stop(): Promise<void>
  /** Sends one message now and stores nothing. */
  attempt(
    receiver: Receiver,
    message: Pick<OutgoingMessage, 'messageId' | 'body'>,
    signal: AbortSignal,
  ): Promise<Attempt>
}

/** Receivers to which messages are sent at once. One receiver gets one message at a time, so that none overtakes another. */
const maxParallel = 16
/** Longest wait for a message that may have been missed. */
const idleMs = 3_600_000
/** Wait after a fault of the database. */
const faultMs = 60_000

export function createDeliveries(deps: {
  store: Store
  vault: Vault
  clock: Clock
  logger: Logger
  sender: Sender
}): Deliveries {
  const { store, vault, clock, logger, sender } = deps
  const stopping = new AbortController()
  const open = new Map<number, Promise<void>>()
  let changed = new AbortController()
  let running: Promise<void> = Promise.resolve()

  function requestOf(
    { kind, url, repository, secret }: Receiver,
    { messageId: id, body }: Pick<OutgoingMessage, 'messageId' | 'body'>,
  ): OutgoingRequest {
    const key = vault.open(secret)
    if (kind === 'webhook') {
      return { url, headers: signatureHeaders({ id, at: clock.now(), body }, key), body }
    }
    // The daemon wrote this JSON.
    const status = JSON.parse(body) as CommitStatus
    const authorization = (prefix: string) => redacted(`${prefix}${key.reveal()}`)
    return statusRequest({ kind, url, repository }, status, authorization)
  }

  const attempt: Deliveries['attempt'] = async (receiver, message, signal) => {
    try {
      const answer = await sender.post(requestOf(receiver, message), signal)
      const { status, retryAfterMs } = answer
      const isAccepted = status >= 200 && status < 300
      if (isAccepted || (receiver.kind !== 'webhook' && isSameStatus(receiver.kind, answer))) {
        return { kind: 'accepted', status }
      }
      return { kind: 'failed', fault: faultOf(receiver, status), retryAfterMs }
    } catch (error) {
      if (signal.aborted || !(error instanceof DaemonError)) throw error
      return { kind: 'failed', fault: error.message, retryAfterMs: 0 }
    }
  }

  async function deliver(message: OutgoingMessage): Promise<void> {
    const receiver = await store.receivers.find(message.receiverId)
    if (!receiver) return
    const result = await attempt(receiver, message, stopping.signal)
    await store.transaction((tx) => record(tx, receiver, message, result))
    if (result.kind === 'accepted') return
    const { origin } = new URL(receiver.url)
    const fields = { receiverId: receiver.id, to: origin, fault: result.fault }
    logger.warn({ ...fields, attempt: message.attempts + 1 }, 'could not deliver a message')
  }

  async function record(
    tx: Store,
    receiver: Receiver,
    message: OutgoingMessage,
    result: Attempt,
  ): Promise<void> {
    if (result.kind === 'accepted') {
      await tx.receivers.update(receiver.id, { deliveredAt: clock.now(), fault: null })
      await tx.outgoing.remove(message.id)
      return
    }
    await tx.receivers.update(receiver.id, { fault: result.fault })
    const attempts = message.attempts + 1
    const delayMs = deliveryDelayMs(attempts, result.retryAfterMs)
    if (delayMs !== undefined) {
      await tx.outgoing.postpone(message.id, { attempts, notBefore: clock.now() + delayMs })
    } else if (await tx.outgoing.remove(message.id)) {
      const reason = `${result.fault}, after ${deliveryAttempts} attempts`
      await tx.audit.write(givenUpRow(receiver, message, reason, clock.now()))
    }
  }

  /** Starts the deliveries that are due. Returns the time until the next one. */
  async function startDue(): Promise<number> {
    const heads = await store.outgoing.listHeads()
    const waiting = heads.filter(({ receiverId }) => !open.has(receiverId))
    const now = clock.now()
    for (const message of waiting.filter(({ notBefore }) => notBefore <= now)) {
      if (open.size >= maxParallel) return idleMs
      const { receiverId } = message
      const delivery = deliver(message)
        .catch((err) => {
          if (stopping.signal.aborted) return undefined
          logger.error({ err, receiverId }, 'could not deliver a message')
          const next = { attempts: message.attempts, notBefore: clock.now() + faultMs }
          return store.outgoing.postpone(message.id, next)
        })
        .catch((err) => logger.error({ err, receiverId }, 'could not postpone a message'))
        .finally(() => {
          open.delete(receiverId)
          changed.abort()
        })
      open.set(receiverId, delivery)
    }
    const next = waiting.find(({ notBefore }) => notBefore > now)
    return next ? Math.min(idleMs, next.notBefore - now) : idleMs
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      changed = new AbortController()
      const signal = AbortSignal.any([stopping.signal, changed.signal])
      const waitMs = await startDue().catch((err) => {
        logger.error({ err }, 'could not look for messages')
        return faultMs
      })
      await clock.wait(waitMs, signal).catch(() => {})
    }
  }

  return {
    attempt,
    start() {
      store.outgoing.onAdd(() => changed.abort())
      running = loop()
    },
    async stop() {
      stopping.abort(new DaemonError('unavailable', 'the daemon stops'))
      await running
      await Promise.all(open.values())
    },
  }
}

/** The answer's text is left out: it may repeat the token. */
function faultOf({ kind }: Receiver, status: number): string {
  if (status >= 300 && status < 400) {
    return `the answer was HTTP ${status}: redirects are not followed, so give the final URL`
  }
  if (kind === 'webhook') return `the answer was HTTP ${status}`
  if (status === 401) return 'the answer was HTTP 401: the API token is wrong or has expired'
  if (status === 403)
    return 'the answer was HTTP 403: the API token must be allowed to set statuses'
  if (status === 404) {
    return 'the answer was HTTP 404: the repository is another one, or the API token may not see it'
  }
  return `the answer was HTTP ${status}`
}
