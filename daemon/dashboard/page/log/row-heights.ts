/**
 * The heights of the rows of a log, in pixels. Row numbers are the sequence numbers of the ring. Every operation takes
 * constant time or visits at most a few hundred numbers, also for 200,000 rows.
 */
export interface RowHeights {
  push(height: number): void
  set(seq: number, height: number): void
  /** Forgets the rows before `seq`. */
  dropBefore(seq: number): void
  /** Forgets all rows. The next row gets the number `seq`. */
  restart(seq: number): void
  first(): number
  end(): number
  total(): number
  /** Returns the distance from the top of the first row to the top of a row. */
  topOf(seq: number): number
  /** Returns the row at a distance from the top, limited to the existing rows. */
  rowAt(top: number): number
}

const blockRows = 512

/** Creates an empty table for at most `maxRows` rows. */
export function createRowHeights(maxRows: number): RowHeights {
  const blocks = Math.ceil(maxRows / blockRows) + 1
  const capacity = blocks * blockRows
  const heights = new Float32Array(capacity)
  const sums = new Float64Array(blocks)
  let first = 0
  let end = 0

  const heightOf = (seq: number) => heights[seq % capacity] ?? 0
  const blockOf = (seq: number) => Math.floor(seq / blockRows)
  const sumOf = (block: number) => sums[block % blocks] ?? 0

  function set(seq: number, height: number): void {
    const slot = blockOf(seq) % blocks
    sums[slot] = (sums[slot] ?? 0) - heightOf(seq) + height
    heights[seq % capacity] = height
  }

  function dropBefore(seq: number): void {
    for (const limit = Math.min(seq, end); first < limit; first += 1) set(first, 0)
  }

  return {
    push(height) {
      if (end - first === maxRows) dropBefore(first + 1)
      end += 1
      set(end - 1, height)
    },
    set(seq, height) {
      if (seq >= first && seq < end) set(seq, height)
    },
    dropBefore,
    restart(seq) {
      heights.fill(0)
      sums.fill(0)
      first = seq
      end = seq
    },
    first: () => first,
    end: () => end,
    total() {
      let total = 0
      for (let block = blockOf(first); block <= blockOf(end); block += 1) total += sumOf(block)
      return total
    },
    topOf(seq) {
      const target = Math.max(first, Math.min(seq, end))
      let top = 0
      for (let block = blockOf(first); block < blockOf(target); block += 1) top += sumOf(block)
      for (let row = blockOf(target) * blockRows; row < target; row += 1) top += heightOf(row)
      return top
    },
    rowAt(top) {
      let rest = Math.max(0, top)
      let block = blockOf(first)
      while (block < blockOf(end) && rest >= sumOf(block)) {
        rest -= sumOf(block)
        block += 1
      }
      let row = Math.max(first, block * blockRows)
      while (row < end - 1 && rest >= heightOf(row)) {
        rest -= heightOf(row)
        row += 1
      }
      return Math.max(first, Math.min(row, end - 1))
    },
  }
}
