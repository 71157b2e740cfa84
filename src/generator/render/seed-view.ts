import { accessOf } from '../model/access.ts'
import type { Feature, Model } from '../model/model.ts'
import { forwardOf, manyOf } from '../model/relations.ts'
import { literal } from './literal.ts'
import { sample } from './sample.ts'
import { isLoginUser, samplesReferTo } from './sample-references.ts'

/** Template data: the statement of `npm run seed` that creates the records of one feature. */
export interface SeedStep {
  /** Declaration of the created records, or '' if no other step refers to them. */
  result: string
  /** Words for messages. */
  words: string
  /** Collections of the client, one for each user who creates records. */
  collections: string
  /** Parameter with the number of a record: `n`, or `_n` if no value uses it. */
  parameter: string
  fields: readonly { name: string; value: string }[]
}

/** Returns the steps in an order in which every record exists before others refer to it. */
export function seedSteps(model: Model): readonly SeedStep[] {
  const ordered: Feature[] = []
  const place = (feature: Feature) => {
    if (isLoginUser(model, feature) || ordered.includes(feature)) return
    for (const target of samplesReferTo(model, feature)) place(target)
    ordered.push(feature)
  }
  for (const feature of model.features) place(feature)
  const targets = new Set(ordered.flatMap((feature) => samplesReferTo(model, feature)))
  return ordered.map((feature) => stepOf(model, feature, targets.has(feature)))
}

function stepOf(model: Model, feature: Feature, isTarget: boolean): SeedStep {
  const { camel, words } = feature.entity.plural
  const targets = samplesReferTo(model, feature)
  const keys = forwardOf(model, feature)
  const fields = [
    ...feature.fields.flatMap((field) => {
      if (field.name === feature.owner) return []
      const key = keys.find((each) => each.field.name === field.name)
      if (key && !targets.includes(key.target)) return []
      const { type } = field
      const value = key
        ? referenceTo(model, key.target)
        : type.kind === 'enum'
          ? `pick([${type.values.map(literal).join(', ')}], n)`
          : sample(field)
      return [{ name: field.name, value }]
    }),
    ...manyOf(model, feature)
      .filter(({ target }) => targets.includes(target))
      .map(({ field, key, target }) => ({
        name: field.name,
        value: `[pick(${target.entity.plural.camel}, n).${key}]`,
      })),
  ]
  return {
    result: isTarget ? `const ${camel} = ` : '',
    words,
    collections: creatorsOf(model, feature, targets)
      .map((creator) => `${creator}.${camel}`)
      .join(', '),
    parameter: fields.some(({ value }) => /\bn\b/.test(value)) ? 'n' : '_n',
    fields,
  }
}

function referenceTo(model: Model, target: Feature): string {
  if (isLoginUser(model, target)) return 'pick([ada, grace], n).user.id'
  return `pick(${target.entity.plural.camel}, n).id`
}

/** Only an admin can add to the records of every user. Other records that have an owner get two. */
function creatorsOf(model: Model, feature: Feature, targets: readonly Feature[]): string[] {
  if (!model.auth) return ['app']
  const isIndependent = targets.every(
    (target) => isLoginUser(model, target) || target.owner === undefined,
  )
  const isOwned = feature.owner !== undefined && isIndependent
  return isOwned && accessOf(model, feature).writes !== 'admin' ? ['ada', 'grace'] : ['ada']
}
