/** Puts `text` in the place of what stands from `start` to before `end`, both UTF-16 offsets. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export function insertion(at: number, text: string): Edit {
  return { start: at, end: at, text }
}

/** The text with all edits made. They must not overlap; those at one place keep their order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = []
  let done = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    pieces.push(text.slice(done, edit.start), edit.text)
    done = edit.end
  }
  return [...pieces, text.slice(done)].join('')
}
