import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { EmptyState } from '../components/empty-state.tsx'
import { ErrorState } from '../components/error-state.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { refusalOf } from '../state/rights.ts'
import { place } from '../state/router.ts'
import type { RoomProps } from './room-props.ts'
import { type RoomRecord, rooms } from './rooms.ts'

/** Shows the room of the current address. */
export function RoomView(): JSX.Element {
  const current = place.value
  const record = current && rooms[current.name]
  if (!current || !record) return <NoSuchRoom />
  const refusal = record.needs && refusalOf(record.needs)
  if (refusal !== undefined) return <NoRights title={record.title} refusal={refusal} />
  return <LoadedRoom key={`${current.name}/${current.id}`} record={record} id={current.id} />
}

type Code =
  | { readonly kind: 'loaded'; readonly Room: ComponentType<RoomProps> }
  | { readonly kind: 'failed'; readonly error: unknown }

const loaded = new Map<RoomRecord, ComponentType<RoomProps>>()

function LoadedRoom({ record, id }: { record: RoomRecord; id: number }): JSX.Element {
  const known = loaded.get(record)
  const [code, setCode] = useState<Code | undefined>(known && { kind: 'loaded', Room: known })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (code?.kind === 'loaded') return
    record.load().then(
      ({ Room }) => {
        loaded.set(record, Room)
        setCode({ kind: 'loaded', Room })
      },
      (error: unknown) => setCode({ kind: 'failed', error }),
    )
  }, [attempt])
  if (code?.kind === 'loaded') return <code.Room id={id} />
  return (
    <>
      <PageHeader title={record.title} />
      {code?.kind === 'failed' ? (
        <ErrorState
          title="This part of the page could not be loaded"
          error={new Error('the daemon was upgraded or does not answer: reload the page')}
          onRetry={() => setAttempt(attempt + 1)}
        />
      ) : (
        <Skeleton kind="rows" rows={6} />
      )}
    </>
  )
}

function NoSuchRoom(): JSX.Element {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState icon="search" title="There is no page at this address">
        <p>
          <a href="/">Go to the overview</a>
        </p>
      </EmptyState>
    </>
  )
}

function NoRights({ title, refusal }: { title: string; refusal: string }): JSX.Element {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState icon="tokens" title="Your token may not see this">
        <p>{refusal}</p>
        <p>Ask the operator of this daemon for another token, then sign out and sign in with it.</p>
      </EmptyState>
    </>
  )
}
