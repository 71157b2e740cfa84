import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Notification, Statuses } from '../../../../client/contract.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-state.tsx'
import { Name } from '../../components/name.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Badge } from '../../components/state-badge.tsx'
import { api } from '../../state/api.ts'
import { roleNeed } from '../../state/rights.ts'
import { asSentence } from '../../text/error-text.ts'
import { counted } from '../../text/format.ts'
import { eventTexts } from './notification-texts.ts'

/** A URL that gets events, with the result of its newest delivery and a test. */
export function NotificationCard({
  receiver,
  projectId,
  onTested,
  onRemove,
  children,
}: {
  receiver: Notification
  projectId: number
  onTested: () => void
  onRemove: () => void
  children: ComponentChildren
}): JSX.Element {
  const { id, url, events } = receiver
  const needs = roleNeed('maintainer', projectId)
  const [isBusy, setBusy] = useState(false)
  const [status, setStatus] = useState<number | undefined>(undefined)
  const [error, setError] = useState<unknown>(undefined)

  async function test(): Promise<void> {
    setBusy(true)
    setStatus(undefined)
    setError(undefined)
    try {
      const params = { id: projectId, notification: id }
      setStatus((await api.call('testNotification', { params }, { timeoutMs })).body.status)
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
    onTested()
  }

  return (
    <article class="domain">
      <header>
        <Name mono>{url}</Name>
        <DeliveryState delivery={receiver} />
        <div class="row">
          <Button tone="quiet" needs={needs} onClick={onRemove}>
            Remove<span class="visually-hidden"> {url}</span>
          </Button>
        </div>
      </header>
      <p class="note">{events.map((event) => textOf(event)).join(' · ')}</p>
      {children}
      {/* The refusal of a test says the same. */}
      <DeliveryNote delivery={error === undefined ? receiver : { ...receiver, fault: null }} />
      <div class="row">
        <Button icon="refresh" isBusy={isBusy} needs={needs} onClick={() => void test()}>
          Send a test
        </Button>
        <span class="note" role="status">
          {status !== undefined && `The receiver accepted the test with status ${status}.`}
        </span>
      </div>
      {error !== undefined && <ErrorNote error={error} />}
    </article>
  )
}

/** The daemon waits up to 10 s for the answer of a receiver. */
const timeoutMs = 30_000

function textOf(event: Notification['events'][number]): string {
  return event === 'backup.failed' ? 'A backup fails' : eventTexts[event]
}

type Delivery = Pick<Notification | Statuses, 'delivered_at' | 'fault' | 'waiting'>

export function DeliveryState({ delivery }: { delivery: Delivery }): JSX.Element {
  if (delivery.fault !== null) return <Badge tone="bad" text="Newest message failed" />
  return delivery.delivered_at === null ? (
    <Badge tone="rest" text="Nothing sent yet" />
  ) : (
    <Badge tone="good" text="Delivered" />
  )
}

/** Says why the newest message failed, how many wait, and when one was accepted. */
export function DeliveryNote({
  delivery: { delivered_at: at, fault, waiting },
}: {
  delivery: Delivery
}): JSX.Element {
  return (
    <>
      {fault !== null && (
        <p class="domain-fault">
          <Name>{asSentence(fault)}</Name>
        </p>
      )}
      {(at !== null || waiting > 0) && (
        <p class="note">
          {at !== null && (
            <>
              Last accepted <RelativeTime at={at} />.{' '}
            </>
          )}
          {waiting > 0 && `${counted(waiting, 'message')} to be tried again.`}
        </p>
      )}
    </>
  )
}
