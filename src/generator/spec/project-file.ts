import * as z from 'zod/mini'
import { StrataError } from '../errors.ts'
import { createFeature, createModel, placeFeature } from '../model/build.ts'
import { assertRelations } from '../model/check-relations.ts'
import { type Feature, type Model, protections } from '../model/model.ts'
import { entityNames, pluralOf } from '../model/names.ts'
import { storeKinds } from '../model/store-kinds.ts'
import { deployKeys } from './deploy-keys.ts'
import { parseFieldArgs } from './field-list.ts'
import { type JsonDocument, JsonFault, readJsonDocument } from './json-document.ts'
import { parseOrm } from './parse-orm.ts'
import { parseStoreKind } from './parse-store-kind.ts'
import { printField, printMany } from './print-field.ts'
import { shapeMessage } from './project-file-message.ts'
import { parseModuleName, parseProjectName } from './project-name.ts'

/**
 * Reads the text of `strata.json`. Throws `usage`; the message starts with `strata.json: ` and the
 * dotted path, or the line and column, of the fault.
 */
export function readModel(text: string): Model {
  return toModel(parseShape(readDocument(text).value, fileShape))
}

/** Reads a stored copy of `strata.json` like `readModel`, but accepts any `deploy`: a former version stored unknown keys. */
export function readStoredModel(text: string): Model {
  return toModel(parseShape(readDocument(text).value, storedShape))
}

/** The model of the last file: a run reads `strata.json` and its stored copy, which are often the same. */
let last: { readonly key: string; readonly model: Model } | undefined

function toModel({ deploy: _, ...file }: z.infer<typeof storedShape>): Model {
  const key = JSON.stringify(file)
  if (last?.key !== key) last = { key, model: createFrom(file) }
  return last.model
}

function createFrom(file: Omit<z.infer<typeof storedShape>, 'deploy'>): Model {
  const database = at('database', () => parseStoreKind(file.database, storeKinds))
  const orm = at('orm', () => parseOrm(file.orm, database))
  const empty = createModel({
    name: at('name', () => parseProjectName(file.name)),
    module: at('module', () => parseModuleName(file.module)),
    database,
    ...(orm && { orm }),
    auth: file.auth,
  })
  const model = Object.entries(file.features).reduce((built, [key, written]) => {
    const path = `features.${key}`
    const feature = readFeature(path, key, written)
    const other = built.features.find(({ entity }) => entity.pascal === feature.entity.pascal)
    if (other !== undefined) throw failure(`${path}: duplicate entity ${other.entity.pascal}`)
    return at(path, () => placeFeature(built, feature))
  }, empty)
  at('features', () => assertRelations(model))
  const { renames = [] } = file
  return renames.length > 0 ? { ...model, renames } : model
}

/**
 * Prints `strata.json` for a model. The daemon owns `deploy`: its text is copied unchanged from
 * `previousText`, the current text of the file.
 */
export function printModel(model: Model, previousText?: string): string {
  const { name, module, database, orm, auth, features, renames } = model
  const entries = features.map((feature) => [feature.entity.pascal, printFeature(feature)] as const)
  const settings = { name, module, database, ...(orm && { orm }), auth }
  const file = {
    ...{ strata: 1, ...settings, features: Object.fromEntries(entries) },
    ...(renames && { renames }),
  }
  const text = JSON.stringify(file, null, 2)
  const deploy =
    previousText === undefined ? undefined : readDocument(previousText).textOf('deploy')
  return deploy === undefined ? `${text}\n` : `${text.slice(0, -2)},\n  "deploy": ${deploy}\n}\n`
}

const featureShape = z.strictObject({
  plural: z.optional(z.string()),
  fields: z.array(z.string()),
  search: z.optional(z.array(z.string())),
  protect: z.optional(z.enum(protections)),
  owner: z.optional(z.string()),
  private: z.optional(z.boolean()),
  unique: z.optional(z.array(z.array(z.string()))),
  index: z.optional(z.array(z.array(z.string()))),
  aliases: z.optional(z.array(z.string())),
})

/** The daemon checks the values. */
const deployShape = z.strictObject(
  Object.fromEntries(deployKeys.map((key) => [key, z.optional(z.unknown())])),
)

const fileShape = z.strictObject({
  strata: z.literal(1),
  name: z.string(),
  module: z.string(),
  database: z.string(),
  orm: z.optional(z.string()),
  auth: z.boolean(),
  features: z.record(z.string(), featureShape),
  renames: z.optional(z.array(z.record(z.string(), z.string()))),
  deploy: z.optional(deployShape),
})

const storedShape = z.extend(fileShape, { deploy: z.optional(z.unknown()) })

function parseShape<T extends z.ZodMiniType>(value: unknown, shape: T): z.infer<T> {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  throw failure(shapeMessage(result.error.issues, value))
}

function readFeature(path: string, key: string, written: z.infer<typeof featureShape>): Feature {
  const {
    plural,
    fields,
    search,
    protect,
    owner,
    private: isPrivate,
    unique,
    index,
    aliases,
  } = written
  return createFeature({
    entity: at(path, () => entityNames(key, plural === undefined ? {} : { plural })),
    ...at(`${path}.fields`, () => parseFieldArgs(fields), fields),
    ...(search && { search }),
    ...(protect && { protect }),
    ...(owner !== undefined && { owner }),
    ...(isPrivate && { private: true }),
    ...(unique && unique.length > 0 && { unique }),
    ...(index && index.length > 0 && { index }),
    ...(aliases && aliases.length > 0 && { aliases }),
  })
}

function printFeature(feature: Feature): z.infer<typeof featureShape> {
  const { entity, fields, many, search, protect, owner, unique, index, aliases } = feature
  const isUsual = entity.plural.snake === pluralOf(entity).snake
  return {
    ...(isUsual ? {} : { plural: entity.plural.kebab }),
    fields: [...fields.map(printField), ...many.map(printMany)],
    ...(search.length > 0 && { search: [...search] }),
    ...(protect !== 'none' && { protect }),
    ...(owner !== undefined && { owner }),
    ...(feature.private && { private: true }),
    ...(unique && { unique: unique.map((group) => [...group]) }),
    ...(index && { index: index.map((group) => [...group]) }),
    ...(aliases && { aliases: [...aliases] }),
  }
}

/** Runs `parse` and prefixes its error with the path, and with the index of the wrong item of `items`. */
function at<T>(path: string, parse: () => T, items: readonly string[] = []): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof StrataError)) throw error
    const { place, details } = error
    const index = place === undefined ? -1 : items.lastIndexOf(place.input)
    const full = index === -1 ? path : `${path}[${index}]`
    const options = { details, cause: error, ...(place === undefined ? {} : { place }) }
    throw failure(`${full}: ${error.message}`, options)
  }
}

function readDocument(text: string): JsonDocument {
  const source = text.replace(/^\uFEFF/, '')
  try {
    return readJsonDocument(source)
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    const before = source.slice(0, error.offset).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    const input = source.split('\n')[before.length - 1] ?? ''
    const length = column <= input.length ? 1 : 0
    throw failure(`line ${before.length}, column ${column}: ${error.message}`, {
      place: { input, start: column - 1, length },
      cause: error,
    })
  }
}

function failure(
  message: string,
  options?: ConstructorParameters<typeof StrataError>[2],
): StrataError {
  return new StrataError('usage', `strata.json: ${message}`, options)
}
