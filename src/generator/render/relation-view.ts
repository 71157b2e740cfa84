import type { Feature, Model } from '../model/model.ts'
import {
  type Children,
  childrenOf,
  type Forward,
  forwardOf,
  type Many,
  manyOf,
} from '../model/relations.ts'

/** Relations of one feature to others. */
export interface Relations {
  readonly forward: readonly Forward[]
  readonly many: readonly Many[]
  readonly children: readonly Children[]
  /** The foreign key to the owner of a record. */
  readonly owner: Forward | undefined
}

export function relationsOf(model: Model, feature: Feature): Relations {
  const forward = forwardOf(model, feature)
  return {
    forward,
    many: manyOf(model, feature),
    children: childrenOf(model, feature),
    owner: forward.find(({ field }) => field.name === feature.owner),
  }
}

/** Returns the other features whose records are embedded in this feature's records, without duplicates. */
export function partsOf(feature: Feature, { many, children }: Relations): readonly Feature[] {
  const parts = [...many.map(({ target }) => target), ...children.map(({ child }) => child)]
  const byName = new Map(parts.map((part) => [part.entity.pascal, part]))
  byName.delete(feature.entity.pascal)
  return [...byName.values()]
}

/** Returns true if a foreign key without cascade, to the record or its cascaded parts, can block deleting a record. */
export function canBlockDelete(
  model: Model,
  feature: Feature,
  seen: readonly string[] = [],
): boolean {
  const { pascal } = feature.entity
  if (seen.includes(pascal)) return false
  return model.features.some((other) =>
    forwardOf(model, other)
      .filter(({ target }) => target.entity.pascal === pascal)
      .some(({ cascade }) => !cascade || canBlockDelete(model, other, [...seen, pascal])),
  )
}
