import { AppError } from '../domain/app-error.js'
import type { Note, NoteChanges, NoteDraft, NoteFilter } from '../domain/note.js'
import type { NoteRepository } from '../repositories/note.repository.js'
import type { Check, Page } from '../repositories/repository.js'

interface Dependencies {
  repository: NoteRepository
  now: () => Date
}

export type NoteService = ReturnType<typeof createNoteService>

export function createNoteService({ repository, now }: Dependencies) {
  return {
    list: (query: Page & NoteFilter) => repository.list(query),

    async find(id: number): Promise<Note> {
      return (await repository.find(id)) ?? absent()
    },

    create(draft: NoteDraft): Promise<Note> {
      const createdAt = now()
      return repository.create({ ...draft, createdAt, updatedAt: createdAt })
    },

    async update(id: number, changes: NoteChanges, check?: Check<Note>): Promise<Note> {
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, check?: Check<Note>): Promise<void> {
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'note not found')
}
