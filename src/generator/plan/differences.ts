import { featureEquals } from '../model/build.ts'
import type { Feature, Model } from '../model/model.ts'

/** The feature of a model with the same entity. */
export function sameIn({ features }: Model, { entity }: Feature): Feature | undefined {
  return features.find((other) => other.entity.pascal === entity.pascal)
}

/** Those of `model` that `other` has not. */
export function missingIn(other: Model, model: Model): readonly Feature[] {
  return model.features.filter((feature) => sameIn(other, feature) === undefined)
}

/** Those that both have, and say otherwise; as `after` has them. */
export function changedFeatures(before: Model, after: Model): readonly Feature[] {
  return after.features.filter((feature) => {
    const old = sameIn(before, feature)
    return old !== undefined && !featureEquals(old, feature)
  })
}

/** Whether they differ in what every file may speak of. */
export function hasOtherSettings(before: Model, after: Model): boolean {
  return (['name', 'module', 'database', 'auth'] as const).some((key) => before[key] !== after[key])
}
