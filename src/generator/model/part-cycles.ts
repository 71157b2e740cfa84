import { StrataError } from '../errors.ts'
import type { Feature, Model } from './model.ts'
import { childrenOf, manyOf } from './relations.ts'

/** Throws `usage` if embedded records form a cycle: a response would contain itself without end. */
export function assertNoCycle(model: Model): void {
  for (const feature of model.features) visit(model, feature, [])
}

function visit(model: Model, feature: Feature, above: readonly string[]): void {
  const { pascal } = feature.entity
  const path = [...above, pascal]
  if (above.includes(pascal)) {
    throw new StrataError(
      'usage',
      `parts form a cycle (${path.slice(path.indexOf(pascal)).join(' contains ')}): remove one many, or one cascade`,
    )
  }
  for (const part of partsOf(model, feature)) visit(model, part, path)
}

/** Returns the features that a response embeds. Children of the same entity end after one level. */
function partsOf(model: Model, feature: Feature): readonly Feature[] {
  const children = childrenOf(model, feature).map(({ child }) => child)
  return [
    ...manyOf(model, feature).map(({ target }) => target),
    ...children.filter(({ entity }) => entity.pascal !== feature.entity.pascal),
  ]
}
