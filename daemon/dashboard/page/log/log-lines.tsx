import type { JSX, VNode } from 'preact'
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import type { LineRing } from './line-ring.ts'
import type { LogPlace } from './log-place.ts'
import { drawRow } from './log-row.tsx'
import { type LogSession, maxLines } from './log-session.ts'
import { textOfLines } from './plain-text.ts'
import { createRowHeights, type RowHeights } from './row-heights.ts'
import { estimateRows, placeOf, scrollTopOf, windowOf } from './row-window.ts'
import { patternOf } from './search.ts'

export interface LogLinesProps {
  readonly session: LogSession
  readonly place: LogPlace
  /** Names the log for screen readers. */
  readonly label: string
  readonly isWrapped: boolean
  readonly hasTimes: boolean
  readonly hasStreams: boolean
  /** Handles the keys of the log. Returns true if it used the key. */
  readonly onKey: (event: KeyboardEvent) => boolean
}

/** Rows are rendered this far above and below the visible part, in pixels. */
const marginPx = 400

/**
 * The lines of a log. Only the rows near the visible part exist as elements, however many lines are loaded. The scroll
 * position is a row and an offset, so that new, dropped and measured rows never move the text under the reader's eyes.
 */
export function LogLines(props: LogLinesProps): JSX.Element {
  const { session, place, isWrapped, hasTimes, hasStreams } = props
  const scroller = useRef<HTMLDivElement>(null)
  const probe = useRef<HTMLDivElement>(null)
  const layout = useRef<Layout | undefined>(undefined)
  layout.current ??= createLayout()
  const state = layout.current
  const drawn = useRef(new Map<number, { stamp: string; node: VNode }>())
  const [, redraw] = useReducer((count: number, _: undefined) => count + 1, 0)

  void session.version.value
  const ring = session.ring()
  const query = session.query.value
  const match = place.match.value
  const selection = place.selection.value
  noticeScroll(scroller.current, state, place)
  const scroll = place.scroll.value
  syncHeights(state, ring, isWrapped)
  const scrollTop = scrollTopOf(state.heights, scroll, state.viewHeight)
  const { from, to, top, total } = windowOf(state.heights, scrollTop, state.viewHeight, marginPx)

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    if (isWrapped && measureRows(element, state)) redraw(undefined)
    const wanted = scrollTopOf(state.heights, place.scroll.peek(), state.viewHeight)
    if (Math.abs(element.scrollTop - wanted) > 1) element.scrollTop = wanted
    state.shownTop = element.scrollTop
  })

  useEffect(() => {
    const [element, sample] = [scroller.current, probe.current]
    if (!element || !sample) return
    const observer = new ResizeObserver(() => {
      if (measureView(element, sample, state)) redraw(undefined)
    })
    observer.observe(element)
    observer.observe(sample)
    return () => observer.disconnect()
  }, [hasTimes, hasStreams])

  useEffect(() => holdWhileSelecting(scroller, state, place), [])

  const pattern = patternOf(query)
  const nodes = new Map<number, { stamp: string; node: VNode }>()
  for (let seq = from; seq < to; seq += 1) {
    const entry = ring.at(seq)
    if (!entry) continue
    const isSelected = selection !== undefined && seq >= selection.from && seq < selection.to
    const look = { hasTime: hasTimes, hasStream: hasStreams, pattern, isCurrent: seq === match }
    const stamp = `${entry.id} ${hasTimes} ${hasStreams} ${look.isCurrent} ${isSelected} ${query}`
    const known = drawn.current.get(seq)
    const node = known?.stamp === stamp ? known.node : drawRow(seq, entry, { ...look, isSelected })
    nodes.set(seq, { stamp, node })
  }
  drawn.current = nodes

  return (
    <div
      ref={scroller}
      class={isWrapped ? 'log-lines log-wrapped' : 'log-lines'}
      role="log"
      aria-live="off"
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the element.
      tabIndex={0}
      onScroll={(event) => {
        if (noticeScroll(event.currentTarget, state, place)) redraw(undefined)
      }}
      onTouchMove={() => noteInput(state)}
      onWheel={({ deltaY, currentTarget }) => {
        noteInput(state)
        if (deltaY < 0) place.scrollTo(placeOf(state.heights, currentTarget.scrollTop))
      }}
      onKeyDown={(event) => {
        noteInput(state)
        if (props.onKey(event)) event.preventDefault()
      }}
      onPointerDown={(event) => {
        noteInput(state)
        selectLine(event, place)
      }}
      onCopy={(event) => copySelection(event, ring, place)}
    >
      <div class="log-canvas" style={{ height: `${total}px` }}>
        <div class="log-rows" style={{ transform: `translateY(${top}px)` }}>
          {[...nodes.values()].map(({ node }) => node)}
        </div>
      </div>
      <div ref={probe} class="log-row log-probe" aria-hidden="true">
        {(hasTimes || hasStreams) && (
          <span class="log-gutter">
            {hasTimes && <span class="log-time">00:00:00.000</span>}
            {hasStreams && <span class="log-stream">err</span>}
          </span>
        )}
        <span class="log-text">
          <span>{'0'.repeat(probeColumns)}</span>
        </span>
      </div>
    </div>
  )
}

const probeColumns = 20

interface Layout {
  readonly heights: RowHeights
  ring: LineRing | undefined
  isWrapped: boolean
  lineHeight: number
  columns: number
  viewHeight: number
  /** The scroll position that the last rendering left behind. Another one is the reader's. */
  shownTop: number
  /** Time of the last key, wheel, touch or press on the log. */
  inputAt: number
}

function createLayout(): Layout {
  return {
    heights: createRowHeights(maxLines),
    ring: undefined,
    isWrapped: false,
    lineHeight: 20,
    columns: 120,
    viewHeight: 600,
    shownTop: 0,
    inputAt: Number.NEGATIVE_INFINITY,
  }
}

/** Adds the rows of new lines, and forgets those of dropped lines. */
function syncHeights(state: Layout, ring: LineRing, isWrapped: boolean): void {
  const { heights } = state
  const isOther = state.ring !== ring || state.isWrapped !== isWrapped
  if (isOther || heights.end() < ring.first()) heights.restart(ring.first())
  state.ring = ring
  state.isWrapped = isWrapped
  heights.dropBefore(ring.first())
  for (let seq = heights.end(); seq < ring.end(); seq += 1) {
    const rows = isWrapped ? estimateRows(ring.at(seq)?.text ?? '', state.columns) : 1
    heights.push(rows * state.lineHeight)
  }
}

/** Reads the heights of the rendered rows. Returns true if one differs from the table. */
function measureRows(scroller: HTMLElement, { heights }: Layout): boolean {
  let isChanged = false
  for (const row of scroller.querySelectorAll<HTMLElement>('.log-rows > .log-row')) {
    const seq = Number(row.dataset.seq)
    const height = row.offsetHeight
    if (height === heights.topOf(seq + 1) - heights.topOf(seq)) continue
    heights.set(seq, height)
    isChanged = true
  }
  return isChanged
}

/** Reads the size of the visible part and of a character. Returns true if one of them has changed. */
function measureView(scroller: HTMLElement, probe: HTMLElement, state: Layout): boolean {
  const text = probe.querySelector<HTMLElement>('.log-text')
  const sample = text?.firstElementChild
  if (!text || !sample || text.clientWidth === 0) return false
  const column = sample.getBoundingClientRect().width / probeColumns
  const columns = Math.max(1, Math.floor(text.getBoundingClientRect().width / column))
  const lineHeight = probe.offsetHeight
  const viewHeight = scroller.clientHeight
  const isOther = columns !== state.columns || lineHeight !== state.lineHeight
  if (isOther) state.ring = undefined
  const isChanged = isOther || viewHeight !== state.viewHeight
  Object.assign(state, { columns, lineHeight, viewHeight })
  return isChanged
}

function noteInput(state: Layout): void {
  state.inputAt = performance.now()
}

/** Takes over a scroll position that the reader has chosen. Returns true if there is one. */
function noticeScroll(scroller: HTMLElement | null, state: Layout, place: LogPlace): boolean {
  if (!scroller || Math.abs(scroller.scrollTop - state.shownTop) <= 1) return false
  state.shownTop = scroller.scrollTop
  // A window that is taller for a moment shows all lines: the browser then scrolls to 0, not the reader.
  const isByReader = performance.now() - state.inputAt < inputMs
  if (state.shownTop === 0 && !isByReader) return true
  const below = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight
  place.scrollTo(
    below < state.lineHeight ? { kind: 'tail' } : placeOf(state.heights, scroller.scrollTop),
  )
  return true
}

/** Time for which a scroll can follow an input of the reader, such as the end of a swipe. */
const inputMs = 2_000

/** Keeps the text in place while a part of it is selected: a selection ends if its row is removed. */
function holdWhileSelecting(
  scroller: { readonly current: HTMLElement | null },
  state: Layout,
  place: LogPlace,
): () => void {
  const hold = () => {
    const selected = getSelection()
    const element = scroller.current
    if (!element || !selected || selected.isCollapsed || !selected.anchorNode) return
    if (!element.contains(selected.anchorNode) || place.scroll.peek().kind !== 'tail') return
    place.scrollTo(placeOf(state.heights, element.scrollTop))
  }
  document.addEventListener('selectionchange', hold)
  return () => document.removeEventListener('selectionchange', hold)
}

/** Selects the line whose gutter was pressed, with Shift all lines up to it. A press on text ends the selection. */
function selectLine(event: PointerEvent, place: LogPlace): void {
  if (event.button !== 0 || !(event.target instanceof Element)) return
  const row = event.target.closest('.log-gutter')?.closest<HTMLElement>('.log-row')
  const before = place.selection.peek()
  if (!row) {
    if (before && event.target.closest('.log-row')) place.selection.value = undefined
    return
  }
  const seq = Number(row.dataset.seq)
  place.selection.value =
    event.shiftKey && before
      ? { from: Math.min(before.from, seq), to: Math.max(before.to, seq + 1) }
      : { from: seq, to: seq + 1 }
}

/** Copies the selected lines, including those without an element. A selection of text is copied by the browser. */
function copySelection(event: ClipboardEvent, ring: LineRing, place: LogPlace): void {
  const range = place.selection.peek()
  if (!range || getSelection()?.isCollapsed === false) return
  event.clipboardData?.setData('text/plain', textOfLines(ring, range.from, range.to))
  event.preventDefault()
}
