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
  assertPluralIsFree(feature)
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

/** The emitted client has its own members beside the features' (templates/project/client/index.ts). */
function assertPluralIsFree({ entity }: Feature): void {
  if (entity.plural.camel !== 'send') return
  throw new StrataError(
    'usage',
    'the plural send is a member of the emitted client already: choose another one with --plural',
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
