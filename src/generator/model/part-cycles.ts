import { StrataError } from '../errors.ts'
import type { Feature, Model } from './model.ts'
import { childrenOf, manyOf } from './relations.ts'

/** Throws `usage` when reading a record would mean reading records that have it as a part. */
export function assertNoCycle(model: Model): void {
  for (const feature of model.features) visit(model, feature, [])
}

function visit(model: Model, feature: Feature, above: readonly string[]): void {
  const { pascal } = feature.entity
  const path = [...above, pascal]
  if (above.includes(pascal)) {
    throw new StrataError(
      'usage',
      `${path.slice(path.indexOf(pascal)).join(' has parts of ')}, which would never end: leave out one many, or one cascade`,
    )
  }
  for (const part of partsOf(model, feature)) visit(model, part, path)
}

/** What is read whole within a record. A feature's own kind as its children is read one level deep. */
function partsOf(model: Model, feature: Feature): readonly Feature[] {
  const children = childrenOf(model, feature).map(({ child }) => child)
  return [
    ...manyOf(model, feature).map(({ target }) => target),
    ...children.filter(({ entity }) => entity.pascal !== feature.entity.pascal),
  ]
}
