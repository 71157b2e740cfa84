import type { Note, NoteDraft, NoteFilter } from '../domain/note.js'
import type { Repository } from './repository.js'

export type NoteRepository = Repository<Note, NoteDraft, NoteFilter>
