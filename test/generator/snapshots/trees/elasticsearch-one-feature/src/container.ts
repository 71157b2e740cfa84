import type { Store } from './infra/store.js'
import { createNoteRepository } from './repositories/note.repository.document.js'
import { createNoteService } from './use-cases/note.service.js'

/** Creates the repositories. No other file names adapters. */
export function createRepositories(store: Store) {
  return {
    notes: createNoteRepository(store),
  }
}

export type Repositories = ReturnType<typeof createRepositories>

/** Creates the use-cases. `now` is the clock. */
export function createContainer(repositories: Repositories, now = () => new Date()) {
  return {
    notes: createNoteService({ repository: repositories.notes, now }),
  }
}

export type Container = ReturnType<typeof createContainer>
