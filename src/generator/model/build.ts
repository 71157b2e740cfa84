import { isDeepStrictEqual } from 'node:util'
import { StrataError } from '../errors.ts'
import { assertNoClash } from './clashes.ts'
import { identifierMaxBytes } from './field-limits.ts'
import type { Feature, Field, Model } from './model.ts'
import { indexNames } from './sql-names.ts'

/** A project without features. The values are taken as parsed; see `spec/project-name.ts`. */
export function createModel(project: Omit<Model, 'features'>): Model {
  const { name, module, database, auth } = project
  return { name, module, database, auth, features: [] }
}

/**
 * The model with the feature added at the end, or in the place of the one with the same entity.
 * Throws `usage` when it clashes with another feature or needs a name no store can hold.
 */
export function withFeature(model: Model, feature: Feature): Model {
  assertNameIsFree(feature)
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

/** Whether two features say the same: names, fields and the fields' order. */
export function featureEquals(a: Feature, b: Feature): boolean {
  return isDeepStrictEqual(a, b)
}

/** Keys of a list's reply beside the plural's, and the emitted client's own member. */
const takenPlurals: ReadonlySet<string> = new Set(['total', 'page', 'page_size', 'send'])

function assertNameIsFree({ entity }: Feature): void {
  if (takenPlurals.has(entity.plural.snake)) {
    throw new StrataError(
      'usage',
      `the plural ${entity.plural.snake} has a meaning of its own in lists or in the client: choose another one with --plural`,
    )
  }
  if (entity.kebab !== 'app-error') return
  throw new StrataError(
    'usage',
    `every project has a src/domain/app-error.ts of its own: choose another name than ${entity.pascal}`,
  )
}

function assertFits(feature: Feature, field: Field): void {
  const long = indexNames(feature, field).find((name) => name.length > identifierMaxBytes)
  if (long === undefined) return
  throw new StrataError(
    'usage',
    `the index ${long} has ${long.length} characters, and a PostgreSQL identifier holds ${identifierMaxBytes}: shorten ${field.name} or the plural (--plural)`,
  )
}
