import type { JSX } from 'preact'
import { Badge } from '../../components/state-badge.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { asSentence } from '../../text/error-text.ts'

export interface CheckItem {
  readonly name: string
  readonly isGood: boolean
  /** A clause of the daemon. */
  readonly detail: string
}

const good = 'm4 8.5 2.8 2.800L12 5.5'
const bad = 'M8 4v5M8 11.900h.01'

/** A list of things that are either good or to be looked at. */
export function CheckList({
  label,
  items,
  words,
}: {
  label: string
  items: readonly CheckItem[]
  words: { readonly good: string; readonly bad: string }
}): JSX.Element {
  const columns: readonly Column<CheckItem>[] = [
    { title: 'Name', kind: 'main', cell: ({ name }) => asTitle(name) },
    {
      title: 'State',
      cell: ({ isGood }) => (
        <Badge
          tone={isGood ? 'good' : 'warn'}
          mark={isGood ? good : bad}
          text={isGood ? words.good : words.bad}
        />
      ),
    },
    { title: 'Detail', cell: ({ detail }) => <bdi>{asSentence(detail)}</bdi> },
  ]
  return (
    <div class="check-list">
      <Table label={label} columns={columns} rows={items} keyOf={({ name }) => name} />
    </div>
  )
}

const abbreviations = new Set(['tls', 'cpu'])

function asTitle(name: string): string {
  if (abbreviations.has(name)) return name.toUpperCase()
  return name.charAt(0).toUpperCase() + name.slice(1)
}
