import { createNoteBody } from '../src/handlers/note.schema.js'
import { camelKeys } from '../src/http/camel-keys.js'
import { noteSample } from './samples/note.sample.js'
import { describeRepository } from './support/repository-contract.js'
import { noteTable } from './support/tables/note.table.js'

describeRepository({
  title: 'notes',
  table: noteTable,
  of: (repositories) => repositories.notes,
  draft: (n) => camelKeys(createNoteBody.parse(noteSample(n))),
})
