import * as z from 'zod/mini'
import { StrataError } from '../errors.ts'
import type { Feature, Model } from '../model/model.ts'
import { printModel, readModel } from '../spec/project-file.ts'
import { deleteActions, type ReadFile, writeActions } from './actions.ts'
import type { Action } from './plan.ts'

/** Lists tables and columns that the migrations left in the database, though the model no longer has them. */
export const retainedPath = 'prisma/migrations/retained.json'

const retainedShape = z.strictObject({
  /** Removed entities whose tables stay, in the form of `strata.json`. */
  tables: z.optional(z.record(z.string(), z.looseObject({ fields: z.array(z.string()) }))),
  /** Dropped fields whose columns stay, by entity. */
  columns: z.optional(z.record(z.string(), z.array(z.string()))),
  /** Fields that become required in the second step of a change, by entity. */
  required: z.optional(z.record(z.string(), z.array(z.string()))),
})

export type Retained = z.infer<typeof retainedShape>

/** Reads `retained.json`. Throws StrataError 'conflict' if its form is wrong. */
export function readRetained(readFile: ReadFile): Retained {
  const text = readFile(retainedPath)
  if (text === undefined) return {}
  try {
    return retainedShape.parse(JSON.parse(text))
  } catch (cause) {
    throw new StrataError(
      'conflict',
      `${retainedPath} is invalid: restore the file from git, then run the command again`,
      { cause },
    )
  }
}

/** Returns the model of the database: `model` with the retained tables and columns that it does not have itself. */
export function withRetained(model: Model, { tables = {}, columns = {} }: Retained): Model {
  if (Object.keys(tables).length + Object.keys(columns).length === 0) return model
  const file = fileShape.parse(JSON.parse(printModel(model)))
  for (const [entity, names] of Object.entries(columns)) {
    file.features[entity]?.fields.push(...missing(names, file.features[entity].fields))
  }
  // Features of the model come first, so that their tables keep their order.
  const retainedOnly = entriesOf(tables).filter(([entity]) => !(entity in file.features))
  const features = { ...file.features, ...Object.fromEntries(retainedOnly) }
  try {
    const { features: all } = readModel(JSON.stringify({ ...file, features }))
    return { ...model, features: all }
  } catch (cause) {
    if (!(cause instanceof StrataError)) throw cause
    throw new StrataError(
      'conflict',
      `${retainedPath} does not fit the model (${cause.message.replace('strata.json: ', '')}): drop a retained table with strata remove <Entity> --allow-destructive`,
      { cause },
    )
  }
}

/** Returns the record without the tables and columns that the model has again. */
export function prunedRetained(model: Model, { tables, columns, required }: Retained): Retained {
  const { features } = fileShape.parse(JSON.parse(printModel(model)))
  const fieldsOf = (entity: string) => features[entity]?.fields ?? []
  return {
    ...nonEmpty(
      'tables',
      entriesOf(tables).filter(([entity]) => !(entity in features)),
    ),
    ...nonEmpty(
      'columns',
      entriesOf(columns)
        .filter(([entity]) => entity in features)
        .map(([entity, fields]) => [entity, missing(fields, fieldsOf(entity))] as const)
        .filter(([, fields]) => fields.length > 0),
    ),
    ...nonEmpty(
      'required',
      entriesOf(required)
        .map(([entity, names]) => {
          const optional = fieldsOf(entity).filter((field) => field.split(':').includes('optional'))
          return [entity, names.filter((name) => optional.map(nameOf).includes(name))] as const
        })
        .filter(([, names]) => names.length > 0),
    ),
  }
}

/** Returns the record with the tables of removed features. */
export function retainTables(
  retained: Retained,
  model: Model,
  features: readonly Feature[],
): Retained {
  const file = fileShape.parse(JSON.parse(printModel({ ...model, features })))
  const columns = { ...retained.columns }
  const tables = Object.entries(file.features).map(([entity, feature]) => {
    const fields = [...feature.fields, ...missing(columns[entity] ?? [], feature.fields)]
    delete columns[entity]
    return [entity, { ...feature, fields }] as const
  })
  return { ...retained, columns, tables: { ...retained.tables, ...Object.fromEntries(tables) } }
}

export function withoutTable(retained: Retained, entity: string): Retained {
  const { [entity]: _, ...tables } = retained.tables ?? {}
  return { ...retained, tables }
}

/** Lists the open second steps: `Post.secret is dropped`. */
export function secondSteps({ columns, required }: Retained): readonly string[] {
  return [
    ...entriesOf(columns).flatMap(([entity, fields]) =>
      fields.map((field) => `${entity}.${nameOf(field)} is dropped from the database`),
    ),
    ...entriesOf(required).flatMap(([entity, names]) =>
      names.map((name) => `${entity}.${name} becomes required`),
    ),
  ]
}

/** Returns the actions that write the record, or delete an empty one. */
export function retainedActions(readFile: ReadFile, retained: Retained): readonly Action[] {
  if (Object.keys(retained).length === 0) {
    return deleteActions(readFile, retainedPath, 'the database retains no table or column')
  }
  const text = `${inBiomeLayout(JSON.stringify(retained, null, 2))}\n`
  return writeActions(readFile, retainedPath, text, 'lists what the database retains')
}

/** Puts lists of texts on one line if they fit, as the linter of emitted projects demands. */
function inBiomeLayout(json: string): string {
  return json.replace(
    /^( *)(.*)\[\n((?: *".*",?\n)+) *\](,?)$/gm,
    (tall, indent, start, items, end) => {
      const texts = String(items).trim().split(/\n */).join(' ')
      const line = `${indent}${start}[${texts}]${end}`
      return line.length > emittedWidth ? tall : line
    },
  )
}

const emittedWidth = 100

const fileShape = z.looseObject({
  features: z.record(z.string(), z.looseObject({ fields: z.array(z.string()) })),
})

function missing(fields: readonly string[], present: readonly string[]): string[] {
  const names = present.map(nameOf)
  return fields.filter((field) => !names.includes(nameOf(field)))
}

function nameOf(field: string): string {
  return field.split(':', 1)[0] ?? field
}

function entriesOf<T>(record: Readonly<Record<string, T>> | undefined): (readonly [string, T])[] {
  return Object.entries(record ?? {})
}

function nonEmpty<K extends string, T>(
  key: K,
  entries: readonly (readonly [string, T])[],
): Partial<Record<K, Record<string, T>>> {
  if (entries.length === 0) return {}
  const record: Partial<Record<K, Record<string, T>>> = {}
  record[key] = Object.fromEntries(entries)
  return record
}
