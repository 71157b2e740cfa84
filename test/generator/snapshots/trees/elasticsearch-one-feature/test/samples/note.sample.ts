import type { NoteApi } from '../../client/note.api.js'

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function noteSample(n: number): NoteApi['create'] {
  return {
    text: `text ${n}`,
    code: `code ${n}`,
    price: (n / 100).toFixed(2),
  }
}

/** An invalid value for each field. */
export const badNoteFields = {
  text: 1,
  code: 1,
  price: 'no such value',
}
