import { isDeepStrictEqual } from 'node:util'
import { StrataError } from '../errors.ts'
import { assertAliases } from './aliases.ts'
import { assertRelations } from './check-relations.ts'
import { assertNoClash } from './clashes.ts'
import { assertGroups } from './field-groups.ts'
import { identifierMaxBytes } from './field-limits.ts'
import type { Feature, Field, Model } from './model.ts'
import { indexNames } from './sql-names.ts'

/** Creates a model without features. Expects parsed values; see `spec/project-name.ts`. */
export function createModel(project: Omit<Model, 'features'>): Model {
  const { name, module, database, orm, auth } = project
  return { name, module, database, ...(orm && { orm }), auth, features: [] }
}

/** Creates a feature. All parts except entity and fields have defaults. */
export function createFeature(
  parts: Pick<Feature, 'entity' | 'fields'> & Partial<Feature>,
): Feature {
  return { many: [], search: [], protect: 'none', ...parts }
}

/**
 * Appends the feature to the model, or replaces the feature of the same entity. Throws `usage` if it clashes
 * with another feature, needs a name that no store can hold, or refers to a missing entity.
 */
export function withFeature(model: Model, feature: Feature): Model {
  const next = placeFeature(model, feature)
  assertRelations(next)
  return next
}

/** Adds a feature like `withFeature`, but does not check references. For several features that refer to each other. */
export function placeFeature(model: Model, given: Feature): Model {
  // An owner implies protection: only an authenticated caller can be an owner.
  const isOpen = given.owner !== undefined && given.protect === 'none'
  const feature: Feature = isOpen ? { ...given, protect: 'write' } : given
  assertNameIsFree(model, feature)
  feature.fields.forEach((field) => {
    assertFits(feature, field)
  })
  assertGroups(feature)
  assertAliases(feature)
  const isSame = (other: Feature) => other.entity.pascal === feature.entity.pascal
  model.features
    .filter((other) => !isSame(other))
    .forEach((other) => {
      assertNoClash(feature, other)
    })
  const features = model.features.some(isSame)
    ? model.features.map((other) => (isSame(other) ? feature : other))
    : [...model.features, feature]
  return { ...model, features }
}

/** Removes the entity from the model. Throws `conflict` if another feature refers to it. */
export function withoutFeature(model: Model, pascal: string): Model {
  const features = model.features.filter(({ entity }) => entity.pascal !== pascal)
  const uses = features.flatMap(({ entity, fields, many }) => [
    ...fields
      .filter(({ references }) => references?.target === pascal)
      .map(({ name }) => `${entity.pascal}.${name}`),
    ...many.filter(({ target }) => target === pascal).map(({ name }) => `${entity.pascal}.${name}`),
  ])
  if (uses.length > 0) {
    throw new StrataError(
      'conflict',
      `other features refer to ${pascal} (${uses.join(', ')}): change or remove those first`,
    )
  }
  return { ...model, features }
}

/** Returns true if the features are equal, the order of their fields included. */
export function featureEquals(a: Feature, b: Feature): boolean {
  return isDeepStrictEqual(a, b)
}

/** Reserved plurals: keys of a list response, and a member of the emitted client. */
const takenPlurals: ReadonlySet<string> = new Set([
  'total',
  'page',
  'page_size',
  'next_cursor',
  'send',
])

/** Reserved file names: files in `src/domain/`, `src/handlers/` and so on that every project has. */
const ownFiles = ['app-error', 'fold-text', 'value-range']
const authFiles = ['user', 'auth', 'upload', 'caller']

/** Reserved schema names of `/openapi.json` in a project with `--auth`. */
const authSchemas: ReadonlySet<string> = new Set([
  ...['RegisterInput', 'LoginInput', 'PasswordInput', 'DeleteMeInput', 'AuthResponse', 'Me'],
])

/** Reserved paths under `/api/v1`, and members of the client, in a project with `--auth`. */
const authPlurals: ReadonlySet<string> = new Set(['users', 'auth', 'uploads'])

function assertNameIsFree({ auth }: Model, { entity, aliases = [] }: Feature): void {
  const reserved = auth ? aliases.find((alias) => authPlurals.has(alias)) : undefined
  if (reserved !== undefined) {
    throw new StrataError(
      'usage',
      `a project with --auth already has the path ${reserved}: leave out this alias of ${entity.pascal}`,
    )
  }
  if (takenPlurals.has(entity.plural.snake)) {
    throw new StrataError(
      'usage',
      `the plural ${entity.plural.snake} is reserved for lists or the client: choose another plural with --plural`,
    )
  }
  const isFile = [...ownFiles, ...(auth ? authFiles : [])].includes(entity.kebab)
  const isTaken = authPlurals.has(entity.plural.kebab) || authSchemas.has(entity.pascal)
  if (!isFile && !(auth && isTaken)) return
  const why =
    entity.kebab === 'user'
      ? 'a project with --auth already has a User, which fk(User) refers to'
      : `${ownFiles.includes(entity.kebab) ? 'every project' : 'a project with --auth'} already has ${isFile ? `the file ${entity.kebab}.ts` : `the name ${entity.words}`}`
  throw new StrataError('usage', `${why}: choose another name than ${entity.pascal}`)
}

function assertFits(feature: Feature, field: Field): void {
  const long = indexNames(feature, field).find((name) => name.length > identifierMaxBytes)
  if (long === undefined) return
  throw new StrataError(
    'usage',
    `the index ${long} has ${long.length} characters, and PostgreSQL allows ${identifierMaxBytes}: shorten ${field.name} or the plural (--plural)`,
  )
}
