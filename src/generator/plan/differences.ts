import { featureEquals } from '../model/build.ts'
import type { Feature, Model } from '../model/model.ts'

/** Finds the model's feature of the same entity. */
export function findFeature({ features }: Model, { entity }: Feature): Feature | undefined {
  return features.find((other) => other.entity.pascal === entity.pascal)
}

/** Lists the features of `model` that `other` lacks. */
export function missingFeatures(other: Model, model: Model): readonly Feature[] {
  return model.features.filter((feature) => findFeature(other, feature) === undefined)
}

/** Lists the features that exist in both models and differ, as in `after`. */
export function changedFeatures(before: Model, after: Model): readonly Feature[] {
  return after.features.filter((feature) => {
    const old = findFeature(before, feature)
    return old !== undefined && !featureEquals(old, feature)
  })
}

/** Returns true if the models differ in a setting that can affect every file. */
export function hasOtherSettings(before: Model, after: Model): boolean {
  return (['name', 'module', 'database', 'orm', 'auth'] as const).some(
    (key) => before[key] !== after[key],
  )
}
