import { isDeepStrictEqual } from 'node:util'
import { StrataError } from '../errors.ts'
import { assertRelations } from './check-relations.ts'
import { assertNoClash } from './clashes.ts'
import { identifierMaxBytes } from './field-limits.ts'
import type { Feature, Field, Model } from './model.ts'
import { indexNames } from './sql-names.ts'

/** A project without features. The values are taken as parsed; see `spec/project-name.ts`. */
export function createModel(project: Omit<Model, 'features'>): Model {
  const { name, module, database, auth } = project
  return { name, module, database, auth, features: [] }
}

/** A feature of which only what is unusual is said. */
export function createFeature(
  parts: Pick<Feature, 'entity' | 'fields'> & Partial<Feature>,
): Feature {
  return { many: [], search: [], protect: 'none', ...parts }
}

/**
 * The model with the feature added at the end, or in the place of the one with the same entity. Throws
 * `usage` when it clashes with another feature, needs a name no store can hold or refers to what is not there.
 */
export function withFeature(model: Model, feature: Feature): Model {
  const next = placeFeature(model, feature)
  assertRelations(next)
  return next
}

/** The same without a look at what the feature refers to, for several that refer to each other. */
export function placeFeature(model: Model, given: Feature): Model {
  // An owner means that writing needs a credential.
  const isOpen = given.owner !== undefined && given.protect === 'none'
  const feature: Feature = isOpen ? { ...given, protect: 'write' } : given
  assertNameIsFree(model, feature)
  feature.fields.forEach((field) => {
    assertFits(feature, field)
  })
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

/** The model without the entity of that name. Throws `conflict` while another feature refers to it. */
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

/** Whether two features say the same: names, fields and the fields' order. */
export function featureEquals(a: Feature, b: Feature): boolean {
  return isDeepStrictEqual(a, b)
}

/** Keys of a list's reply beside the plural's, and the emitted client's own member. */
const takenPlurals: ReadonlySet<string> = new Set(['total', 'page', 'page_size', 'send'])

/** Names of files in `src/domain/`, `src/handlers/` and so on that are no feature's. */
const ownFiles = ['app-error', 'fold-text']
const authFiles = ['user', 'auth', 'upload', 'caller']

/** Schemas of `/openapi.json` that a project with `--auth` has. */
const authSchemas: ReadonlySet<string> = new Set(['RegisterInput', 'LoginInput', 'AuthResponse'])

/** Their paths under `/api/v1`, and members of the client. */
const authPlurals: ReadonlySet<string> = new Set(['users', 'auth', 'uploads'])

function assertNameIsFree({ auth }: Model, { entity }: Feature): void {
  if (takenPlurals.has(entity.plural.snake)) {
    throw new StrataError(
      'usage',
      `the plural ${entity.plural.snake} has a meaning of its own in lists or in the client: choose another one with --plural`,
    )
  }
  const isFile = [...ownFiles, ...(auth ? authFiles : [])].includes(entity.kebab)
  const isTaken = authPlurals.has(entity.plural.kebab) || authSchemas.has(entity.pascal)
  if (!isFile && !(auth && isTaken)) return
  const why =
    entity.kebab === 'user'
      ? 'a project with --auth has a User of its own, which fk(User) refers to'
      : `${ownFiles.includes(entity.kebab) ? 'every project' : 'a project with --auth'} has ${isFile ? `the file ${entity.kebab}.ts` : `the ${entity.words}`} of its own`
  throw new StrataError('usage', `${why}: choose another name than ${entity.pascal}`)
}

function assertFits(feature: Feature, field: Field): void {
  const long = indexNames(feature, field).find((name) => name.length > identifierMaxBytes)
  if (long === undefined) return
  throw new StrataError(
    'usage',
    `the index ${long} has ${long.length} characters, and a PostgreSQL identifier holds ${identifierMaxBytes}: shorten ${field.name} or the plural (--plural)`,
  )
}
