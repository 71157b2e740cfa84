import type { Note, NoteDraft, NoteFilter } from '../../../src/domain/note.js'
import type { TableOf } from '../memory-tables.js'

/** Describes notes for the in-memory store. */
export const noteTable: TableOf<Note, NoteDraft, NoteFilter> = {
  name: 'notes',
  unique: ['code', ['text', 'price']],
  ranges: ['price'],
  sorts: ['code'],
  decimals: ['price'],
  search: ['text'],
}
