/** Replaces the text from `start` to `end` (exclusive), both UTF-16 offsets. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export function insertion(at: number, text: string): Edit {
  return { start: at, end: at, text }
}

/** Applies all edits. Edits must not overlap; insertions at the same offset keep their order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = []
  let done = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    pieces.push(text.slice(done, edit.start), edit.text)
    done = edit.end
  }
  return [...pieces, text.slice(done)].join('')
}
