import type { RowHeights } from './row-heights.ts'

/** The rows to render, and their place in the canvas in pixels. `to` is exclusive. */
export interface RowWindow {
  readonly from: number
  readonly to: number
  readonly top: number
  readonly total: number
}

/** The scroll position: the newest line at the bottom, or a row at a distance below its top edge. */
export type ScrollPlace =
  | { readonly kind: 'tail' }
  | { readonly kind: 'row'; readonly seq: number; readonly offset: number }

/** Upper bound of the rendered rows, whatever the height of the screen. */
const maxRendered = 400

/** Returns the rows that intersect the viewport, with a margin above and below. */
export function windowOf(
  heights: RowHeights,
  scrollTop: number,
  viewHeight: number,
  marginPx: number,
): RowWindow {
  const total = heights.total()
  if (heights.end() === heights.first()) {
    return { from: heights.first(), to: heights.end(), top: 0, total }
  }
  const from = heights.rowAt(scrollTop - marginPx)
  const last = heights.rowAt(scrollTop + viewHeight + marginPx)
  const to = Math.min(last + 1, from + maxRendered)
  return { from, to, top: heights.topOf(from), total }
}

/** Returns the place of a scroll position, so that it survives new rows, dropped rows and other heights. */
export function placeOf(heights: RowHeights, scrollTop: number): ScrollPlace {
  const seq = heights.rowAt(scrollTop)
  return { kind: 'row', seq, offset: scrollTop - heights.topOf(seq) }
}

/** Returns the scroll position of a place, within the limits of the canvas. */
export function scrollTopOf(heights: RowHeights, place: ScrollPlace, viewHeight: number): number {
  const limit = Math.max(0, heights.total() - viewHeight)
  if (place.kind === 'tail') return limit
  const wanted = place.seq < heights.first() ? 0 : heights.topOf(place.seq) + place.offset
  return Math.max(0, Math.min(limit, wanted))
}

/** Estimates the height of a wrapped line from its length. A measurement corrects it once the row is rendered. */
export function estimateRows(text: string, columns: number): number {
  return Math.max(1, Math.ceil(text.length / Math.max(1, columns)))
}
