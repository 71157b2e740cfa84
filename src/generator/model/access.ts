import { entityOf } from './entities.ts'
import type { Feature, Field, Model } from './model.ts'

/** The access to a feature's records: its own options, and those of the records that its records are parts of. */
export interface Access {
  readonly reads: 'open' | 'token'
  readonly writes: 'open' | 'token' | 'admin'
  /** Foreign keys from the record to its owner: `[author_id]`, or `[order_id, customer_id]` of a part. */
  readonly owner: readonly Field[] | undefined
  /**
   * Foreign keys from the record to each user who must be the caller to see the record. Empty for a feature
   * without private records.
   */
  readonly viewers: readonly (readonly Field[])[]
}

export function accessOf(model: Model, feature: Feature, above: Above = []): Access {
  const { protect } = feature
  const owner = ownerPath(model, feature)
  const viewers = viewerPaths(model, feature)
  const wholes = followsWholes(feature) ? wholesOf(model, feature, above) : []
  const inherited = wholes.map(({ whole }) => accessOf(model, whole, [...above, feature]))
  const isAdmin = protect === 'admin' || inherited.some(({ writes }) => writes === 'admin')
  const isWriteOpen = protect === 'none' && inherited.every(({ writes }) => writes === 'open')
  const isReadOpen = protect !== 'all' && inherited.every(({ reads }) => reads === 'open')
  return {
    reads: isReadOpen && viewers.length === 0 ? 'open' : 'token',
    writes: isAdmin ? 'admin' : isWriteOpen && owner === undefined ? 'open' : 'token',
    owner,
    viewers,
  }
}

export function isPrivate(model: Model, feature: Feature): boolean {
  return viewerPaths(model, feature).length > 0
}

/** Returns true if all readers of a record may see the record that the key refers to. */
export function isVisibleThrough(model: Model, feature: Feature, key: Field): boolean {
  const target = targetOf(model, key)
  return !isPrivate(model, target) || (isWholeKey(feature, key) && target !== feature)
}

/** Returns true if a reader of the record that the key refers to may not see the part. */
export function hidesParts(model: Model, part: Feature, key: Field): boolean {
  return viewerPaths(model, part).some(([first]) => first?.name !== key.name)
}

/** A foreign key with `cascade`: the record is a part of the record that the key refers to. */
export interface Whole {
  readonly key: Field
  readonly whole: Feature
}

/** Lists the records that a record is a part of, except users and records of its own feature. */
export function wholesOf(model: Model, feature: Feature, above: Above = []): readonly Whole[] {
  return feature.fields
    .filter((key) => isWholeKey(feature, key))
    .map((key) => ({ key, whole: targetOf(model, key) }))
    .filter(({ whole }) => !above.includes(whole))
}

/** The parts on the way to a whole, which end a walk: keys can form a cycle. */
type Above = readonly Feature[]

/** Lists the wholes with an owner, whose owner may change the part. Empty for a part with an owner of its own. */
export function ownedWholesOf(model: Model, feature: Feature, above: Above = []): readonly Whole[] {
  if (!followsWholes(feature)) return []
  const path = [...above, feature]
  return wholesOf(model, feature, path).filter(({ whole }) => ownerPath(model, whole, path))
}

function followsWholes({ owner }: Feature): boolean {
  return owner === undefined
}

function ownerPath(
  model: Model,
  feature: Feature,
  above: Above = [],
): readonly Field[] | undefined {
  const own = feature.fields.find(({ name }) => name === feature.owner)
  if (own !== undefined) return [own]
  const [first] = ownedWholesOf(model, feature, above)
  const rest = first && ownerPath(model, first.whole, [...above, feature])
  return rest && [first.key, ...rest]
}

function viewerPaths(
  model: Model,
  feature: Feature,
  above: Above = [],
): readonly (readonly Field[])[] {
  const own = feature.fields.filter(({ name }) => feature.private && name === feature.owner)
  const path = [...above, feature]
  const inherited = wholesOf(model, feature, path).flatMap(({ key, whole }) =>
    viewerPaths(model, whole, path).map((rest) => [key, ...rest]),
  )
  return [...own.map((field) => [field]), ...inherited]
}

function isWholeKey({ entity }: Feature, { references }: Field): boolean {
  if (references === undefined || !references.cascade) return false
  return references.target !== entity.pascal && references.target !== 'User'
}

function targetOf(model: Model, { name, references }: Field): Feature {
  if (references === undefined) throw new Error(`${name} is no foreign key`)
  return entityOf(model, references.target)
}
