import type { Store } from '../infra/store.js'
import { createRepository } from './document-repository.js'
import type { NoteRepository } from './note.repository.js'

export function createNoteRepository(store: Store): NoteRepository {
  return createRepository(store, 'notes')
}
