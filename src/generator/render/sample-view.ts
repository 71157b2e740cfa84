import type { Feature, Model } from '../model/model.ts'
import { forwardOf, manyOf } from '../model/relations.ts'
import type { FieldView } from './field-view.ts'
import { literal } from './literal.ts'
import type { Relations } from './relation-view.ts'

/** What the tests of one feature create. */
export interface SampleView {
  sampleFields: readonly { name: string; sample: string }[]
  badFields: readonly { name: string; value: string }[]
  sampleUsesN: boolean
  /** The records that a sample refers to, and what makes them. */
  seeds: readonly Seed[]
  /** Whether samples of others refer to one of these, so that one must be made for them. */
  isSeed: boolean
  usesRepositories: boolean
  /** Whether tests give the store's own draft a name. */
  namesDraft: boolean
  /** Behind the number of a sample, or ''. */
  refsParameter: string
  /** The same of a sample, which may have no use for it. */
  sampleRefs: string
  refsArgument: string
  /** What of a draft comes from the caller: `, authorId: refs.user.id`, or ''. */
  ownerOfDraft: string
}

interface Seed {
  /** The property that holds the record. */
  key: string
  call: string
  from: string
}

export function sampleView(
  model: Model,
  feature: Feature,
  fields: readonly FieldView[],
  { forward, many, owner }: Relations,
): SampleView {
  const bodyFields = fields.filter(({ name }) => name !== owner?.field.name)
  const seeded = seededBy(model, feature)
  const isSeeded = (target: Feature) => seeded.includes(target)
  const keySample = (name: string) => {
    const key = forward.find(({ field }) => field.name === name)
    if (key === undefined) return undefined
    return isSeeded(key.target) ? `refs.${key.target.entity.camel}.id` : 'null'
  }
  const usesN = (name: string) => {
    const field = feature.fields.find((each) => each.name === name)
    return field !== undefined && field.type.kind !== 'enum' && field.references === undefined
  }
  const hasSeeds = seeded.length > 0
  const usesRefs =
    many.some(({ target }) => isSeeded(target)) ||
    bodyFields.some(({ name }) => keySample(name)?.startsWith('refs.'))
  const isSeed = model.features.some((other) => seededBy(model, other).includes(feature))
  return {
    sampleFields: [
      ...bodyFields.map(({ name, sample }) => ({ name, sample: keySample(name) ?? sample })),
      ...many
        .filter(({ target }) => isSeeded(target))
        .map(({ field, key, target }) => ({
          name: field.name,
          sample: `[refs.${target.entity.camel}.${key}]`,
        })),
    ],
    badFields: [
      ...bodyFields.flatMap(({ name, bad }) => (bad ? [{ name, value: bad }] : [])),
      ...many.map(({ field }) => ({ name: field.name, value: literal('neither') })),
    ],
    sampleUsesN: bodyFields.some(({ name }) => usesN(name)),
    seeds: seeded.map(({ entity: { pascal, camel, kebab } }) => ({
      key: camel,
      call: `seed${pascal}`,
      from: model.auth && pascal === 'User' ? '../support/seed-user.js' : `./${kebab}.sample.js`,
    })),
    isSeed,
    usesRepositories: hasSeeds || isSeed,
    namesDraft: hasSeeds || isSeed,
    sampleRefs: hasSeeds ? `, ${usesRefs ? '' : '_'}refs: ${feature.entity.pascal}Refs` : '',
    refsParameter: hasSeeds ? `, refs: ${feature.entity.pascal}Refs` : '',
    refsArgument: hasSeeds ? ', refs' : '',
    ownerOfDraft: owner ? `${owner.field.camel}: refs.${owner.target.entity.camel}.id` : '',
  }
}

/**
 * The targets of which a sample needs one each: of every required key, and of the others unless what they
 * refer to leads back to the feature.
 */
function seededBy(model: Model, feature: Feature): readonly Feature[] {
  const required = forwardOf(model, feature).filter(({ field }) => !field.optional)
  const free = targetsOf(model, feature).filter((target) => !leadsTo(model, target, feature))
  return [...new Set([...required.map(({ target }) => target), ...free])]
}

function targetsOf(model: Model, feature: Feature): readonly Feature[] {
  return [...forwardOf(model, feature), ...manyOf(model, feature)].map(({ target }) => target)
}

function leadsTo(
  model: Model,
  from: Feature,
  to: Feature,
  seen: ReadonlySet<Feature> = new Set(),
): boolean {
  if (from === to) return true
  if (seen.has(from)) return false
  const passed = new Set([...seen, from])
  return targetsOf(model, from).some((target) => leadsTo(model, target, to, passed))
}
