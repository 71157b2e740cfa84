import type { Feature, Model } from '../model/model.ts'
import { forwardOf, manyOf } from '../model/relations.ts'

/**
 * Returns the features of which a sample needs a record: the targets of required foreign keys, and other targets
 * unless they refer back to the feature, directly or not.
 */
export function samplesReferTo(model: Model, feature: Feature): readonly Feature[] {
  const required = forwardOf(model, feature).filter(({ field }) => !field.optional)
  const acyclic = targetsOf(model, feature).filter((target) => !refersTo(model, target, feature))
  return [...new Set([...required.map(({ target }) => target), ...acyclic])]
}

function targetsOf(model: Model, feature: Feature): readonly Feature[] {
  return [...forwardOf(model, feature), ...manyOf(model, feature)].map(({ target }) => target)
}

function refersTo(
  model: Model,
  from: Feature,
  to: Feature,
  seen: ReadonlySet<Feature> = new Set(),
): boolean {
  if (from === to) return true
  if (seen.has(from)) return false
  const visited = new Set([...seen, from])
  return targetsOf(model, from).some((target) => refersTo(model, target, to, visited))
}

/** Returns true if the feature is the users who log in. */
export function isLoginUser({ auth }: Model, { entity }: Feature): boolean {
  return auth && entity.pascal === 'User'
}
