import type { Model } from '../model/model.ts'
import { printModel, readModel } from '../spec/project-file.ts'
import { storeOf } from '../stores/stores.ts'
import { deleteActions, type ReadFile, writeActions } from './actions.ts'
import { basePath } from './base.ts'
import type { Action } from './plan.ts'
import { retainedPath } from './retained.ts'

/** The folder of applied SQL. */
const migrationsFolder = 'prisma/migrations'

const schemaPath = 'prisma/schema.prisma'

interface Project {
  readonly readFile: ReadFile
  readonly listFiles: (path: string) => readonly string[]
}

/** The migrations of a store kind that the project had before. Its databases have applied them. */
export interface KeptMigrations {
  /** The model that the migrations create. */
  readonly model: Model
  /** The schema that belongs to them. */
  readonly schema: string | undefined
  /** The path in `prisma/migrations` and the text of each file. */
  readonly files: ReadonlyMap<string, string>
  /** Deletes the kept copies. */
  readonly removal: readonly Action[]
}

/**
 * Returns the actions that keep the project's migrations beside the base texts. A later move back to this kind continues with
 * them, because its databases have applied them. A person's own migrations are marked: the new kind has no counterpart.
 */
export function keepMigrations(
  before: Model,
  after: Model,
  paths: readonly string[],
  { readFile }: Project,
): readonly Action[] {
  const folder = keptFolder(before)
  const migrations = paths.filter((path) => path.startsWith(`${migrationsFolder}/`))
  const schema = readFile(basePath(schemaPath))
  if (migrations.length === 0) return []
  const reason = `continues if the project moves back to ${before.database}`
  return [
    ...migrations.flatMap((path) => {
      const text = readFile(path) ?? ''
      const kept = `${folder}/migrations${path.slice(migrationsFolder.length)}`
      return isEmitted(path, text)
        ? writeActions(readFile, kept, text, reason)
        : writeActions(
            readFile,
            kept,
            text,
            `your own file, kept here: port it to ${after.database}`,
            'review',
          )
    }),
    ...writeActions(readFile, `${folder}/strata.json`, printModel(before), reason),
    ...(schema === undefined
      ? []
      : writeActions(readFile, `${folder}/schema.prisma`, schema, reason)),
  ]
}

/** True if a change of the store ends the schema file, which then moves beside the migrations of its kind. */
export function keepsSchema(before: Model, after: Model, path: string): boolean {
  const isRelational = (model: Model) => storeOf(model).losses === undefined
  return path === schemaPath && isRelational(before) && !isRelational(after)
}

/** Returns the actions that keep a schema file with a person's own models, if the new kind of store has no schema file. */
export function keepSchema(
  before: Model,
  after: Model,
  { readFile }: Pick<Project, 'readFile'>,
): readonly Action[] {
  const text = readFile(schemaPath)
  const isEdited = text !== undefined && text !== readFile(basePath(schemaPath))
  if (!isEdited || !keepsSchema(before, after, schemaPath)) return []
  const reason = `your models, kept here: port them to ${after.database}`
  return [
    ...writeActions(readFile, `${keptFolder(before)}/own-schema.prisma`, text, reason, 'review'),
    ...writeActions(
      readFile,
      `${keptFolder(before)}/schema.prisma`,
      readFile(basePath(schemaPath)) ?? text,
      `continues if the project moves back to ${before.database}`,
    ),
  ]
}

/** Returns the base and the person's text of a kept schema file, if the project moves back to its kind of store. */
export function keptSchema(
  before: Model,
  after: Model,
  path: string,
  readFile: ReadFile,
): { readonly base: string | undefined; readonly disk: string } | undefined {
  if (!keepsSchema(after, before, path) || readFile(path) !== undefined) return undefined
  const disk = readFile(`${keptFolder(after)}/own-schema.prisma`)
  return disk === undefined
    ? undefined
    : { base: readFile(`${keptFolder(after)}/schema.prisma`), disk }
}

/** Returns the migrations that were kept when the project left the store kind of the model, if any. */
export function keptMigrations(
  after: Model,
  { readFile, listFiles }: Project,
): KeptMigrations | undefined {
  const folder = keptFolder(after)
  const text = readFile(`${folder}/strata.json`)
  if (text === undefined) return undefined
  const paths = listFiles(folder).toSorted()
  const inside = `${folder}/migrations/`
  return {
    model: readModel(text),
    schema: readFile(`${folder}/schema.prisma`),
    files: new Map(
      paths
        .filter((path) => path.startsWith(inside))
        .map((path) => [`${migrationsFolder}/${path.slice(inside.length)}`, readFile(path) ?? '']),
    ),
    removal: paths.flatMap((path) =>
      deleteActions(readFile, path, `${after.database} is the store again`),
    ),
  }
}

function keptFolder({ database }: Model): string {
  return `.strata/stores/${database}`
}

/** Recognizes a migration of strata by the name of its folder and by the heading of its first statement. */
function isEmitted(path: string, text: string): boolean {
  const isNamed = /\/\d+_(?:create|change|drop|add|merge)_[^/]*\/migration\.sql$/.test(path)
  if (path === retainedPath) return true
  return isNamed && /^(?:BEGIN|SET|-- [A-Z][A-Za-z]+$)/m.test(text.split('\n', 1)[0] ?? '')
}
