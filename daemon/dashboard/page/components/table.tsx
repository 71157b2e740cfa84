import type { ComponentChildren, JSX, VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { counted } from '../text/format.ts'
import { Button } from './button.tsx'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** `main` heads the card of a row on a phone, `end` aligns to the end, `actions` has no title. */
  readonly kind?: 'main' | 'end' | 'actions'
}

/**
 * A table whose rows become cards in a narrow place. A row is drawn again only if its object changes: `cell` must use
 * nothing but its row, or `version` must change with the other values. A long table grows while a person scrolls.
 */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  version = '',
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  version?: string | number
}): JSX.Element {
  const [limit, setLimit] = useState(firstRows)
  const shown = rows.length > limit ? rows.slice(0, limit) : rows
  const drawn = useRef<{ version: string | number; rows: Map<Row, VNode> }>({
    version,
    rows: new Map(),
  })
  const previous = drawn.current.version === version ? drawn.current.rows : new Map<Row, VNode>()
  const current = new Map(
    shown.map((row) => [row, previous.get(row) ?? draw(row, columns, keyOf(row))]),
  )
  drawn.current = { version, rows: current }
  return (
    <div class="table-place">
      {/* The roles keep the meaning of a table while the rows look like cards. */}
      {/* biome-ignore-start lint/a11y/noRedundantRoles: another display removes the native roles. */}
      <table class="table" role="table" aria-label={label} aria-rowcount={rows.length + 1}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, kind }) => (
              <th key={title} role="columnheader" scope="col" class={classOf(kind)}>
                {kind === 'actions' ? <span class="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">{[...current.values()]}</tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: another display removes the native roles. */}
      {rows.length > limit && (
        <MoreRows
          key={limit}
          text={`${limit} of ${counted(rows.length, 'row')}`}
          onMore={() => setLimit(limit + moreRows)}
        />
      )}
    </div>
  )
}

/** Number of rows to draw first, and then at each step. A thousand rows at once would block the page for a second. */
const firstRows = 60
const moreRows = 30

/** Draws more rows shortly before a person scrolls to the end. The button does the same by keyboard. */
function MoreRows({ text, onMore }: { text: string; onMore: () => void }): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onMore()
      },
      { rootMargin: '800px' },
    )
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place} class="more-rows">
      <span class="note">{text}</span>
      <Button tone="quiet" onClick={onMore}>
        Show more
      </Button>
    </div>
  )
}

function draw<Row>(row: Row, columns: readonly Column<Row>[], key: string | number): VNode {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: another display removes the native roles.
    <tr key={key} role="row">
      {columns.map(({ title, cell, kind }) => (
        // biome-ignore lint/a11y/noRedundantRoles: another display removes the native roles.
        <td key={title} role="cell" class={classOf(kind)} data-title={kind ? undefined : title}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}

function classOf(kind: Column<unknown>['kind']): string | undefined {
  return kind === undefined ? undefined : `cell-${kind}`
}
