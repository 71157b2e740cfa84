import type { Feature, Model } from '../model/model.ts'
import {
  type Children,
  childrenOf,
  type Forward,
  forwardOf,
  type Many,
  manyOf,
} from '../model/relations.ts'

/** What a feature has to do with others. */
export interface Relations {
  readonly forward: readonly Forward[]
  readonly many: readonly Many[]
  readonly children: readonly Children[]
  /** The foreign key that says whose a record is. */
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

/** The other features whose records are read whole within this one's, each once. */
export function partsOf(feature: Feature, { many, children }: Relations): readonly Feature[] {
  const parts = [...many.map(({ target }) => target), ...children.map(({ child }) => child)]
  const byName = new Map(parts.map((part) => [part.entity.pascal, part]))
  byName.delete(feature.entity.pascal)
  return [...byName.values()]
}

/** Whether the store can refuse to delete a record, as others refer to it or to what falls with it. */
export function isHeld(model: Model, feature: Feature, seen: readonly string[] = []): boolean {
  const { pascal } = feature.entity
  if (seen.includes(pascal)) return false
  return model.features.some((other) =>
    forwardOf(model, other)
      .filter(({ target }) => target.entity.pascal === pascal)
      .some(({ cascade }) => !cascade || isHeld(model, other, [...seen, pascal])),
  )
}
