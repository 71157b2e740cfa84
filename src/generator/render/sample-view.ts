import type { Feature, Model } from '../model/model.ts'
import type { Forward } from '../model/relations.ts'
import { guardedKeys } from './access-view.ts'
import { distinctKeysOf } from './distinct-keys.ts'
import type { FieldView } from './field-view.ts'
import { literal } from './literal.ts'
import type { Relations } from './relation-view.ts'
import { sampleCount } from './sample.ts'
import { isLoginUser, samplesReferTo } from './sample-references.ts'

/** Template data: sample records for the tests of one feature. */
export interface SampleView {
  sampleFields: readonly { name: string; sample: string }[]
  badFields: readonly { name: string; value: string }[]
  sampleImports: readonly { clause: string; from: string }[]
  /** Parameter with the number of a sample: `n`, or `_n` if no field uses the number. */
  sampleNumber: string
  /** Records that a sample refers to, and the functions that create them. */
  seeds: readonly Seed[]
  /** Statement that creates the records of `seeds`, if any. */
  seedStatements: readonly string[]
  /** Parameter and argument of the functions that create records: the user to own them, with a leading comma, or ''. */
  userParameter: string
  /** Parameters of the function that creates the records of `seeds`: the user, and the number of records for unique keys. */
  refsParameters: string
  userArgument: string
  /** True if samples of other features refer to a record of this feature. */
  isSeed: boolean
  /** True if the file of samples exports a function for repository drafts. */
  namesDraft: boolean
  /** Parameter with the records of `seeds`, with a leading comma, or ''. */
  refsParameter: string
  /** Same as `refsParameter`, with an underscore if no field of the sample uses it. */
  sampleRefs: string
  refsArgument: string
  /** Expression of a repository draft, from a variable `draft`. */
  sampleDraft: string
}

interface Seed {
  /** Property that holds the record. */
  key: string
  /** Name of the function that creates the record, and the expression that calls it. */
  call: string
  create: string
  from: string
}

export function sampleView(
  model: Model,
  feature: Feature,
  fields: readonly FieldView[],
  { forward, many, owner }: Relations,
): SampleView {
  const { entity } = feature
  const bodyFields = fields.filter(({ name }) => name !== owner?.field.name)
  const seeded = samplesReferTo(model, feature)
  const isSeeded = (target: Feature) => seeded.includes(target)
  const distinct = distinctKeysOf(feature)
  const isDistinct = ({ field }: Pick<Forward, 'field'>) => distinct.has(field.name)
  const keySample = (name: string) => {
    const key = forward.find(({ field }) => field.name === name)
    if (key === undefined) return undefined
    return isSeeded(key.target) ? idOf(key, isDistinct(key)) : 'null'
  }
  const usesN = (name: string) => {
    const field = feature.fields.find((each) => each.name === name)
    if (field === undefined || field.type.kind === 'enum') return false
    return field.references === undefined || keySample(name)?.includes('[n ') === true
  }
  const hasSeeds = seeded.length > 0
  const ownsSeeds = isSeededForUser(model, feature)
  const uniqueTargets = seeded.filter((target) =>
    forward.some((key) => isDistinct(key) && key.target === target),
  )
  const seeds = seeded.map((seed) => seedOf(model, seed, ownsSeeds))
  const usesRefs =
    many.some(({ target }) => isSeeded(target)) ||
    bodyFields.some(({ name }) => keySample(name)?.startsWith('refs.'))
  const isSeed = model.features.some((other) => samplesReferTo(model, other).includes(feature))
  const namesDraft = hasSeeds || isSeed
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
    sampleImports: [
      ...(namesDraft ? [{ clause: 'type { Repositories }', from: '../../src/container.js' }] : []),
      ...(isSeed
        ? [{ clause: `type { ${entity.type} }`, from: `../../src/domain/${entity.kebab}.js` }]
        : []),
      ...(ownsSeeds ? [{ clause: 'type { User }', from: '../../src/domain/user.js' }] : []),
      { clause: `type { ${entity.pascal}Api }`, from: `../../client/${entity.kebab}.api.js` },
      ...(namesDraft
        ? [
            {
              clause: `{ create${entity.pascal}Body }`,
              from: `../../src/handlers/${entity.kebab}.schema.js`,
            },
            { clause: '{ camelKeys }', from: '../../src/http/camel-keys.js' },
          ]
        : []),
      ...seeds.map(({ call, from }) => ({ clause: `{ ${call} }`, from })),
    ],
    sampleNumber: bodyFields.some(({ name }) => usesN(name)) ? 'n' : '_n',
    seeds: [...seeds, ...uniqueTargets.map((target) => seedsOf(model, target, ownsSeeds))],
    seedStatements: hasSeeds
      ? [
          `const refs = await seed${entity.pascal}Refs(repositories${ownsSeeds ? ', user' : ''}${uniqueTargets.length > 0 ? ', 1' : ''})`,
        ]
      : [],
    refsParameters: `${ownsSeeds ? ', user?: User' : ''}${uniqueTargets.length > 0 ? `, count = ${sampleCount}` : ''}`,
    userParameter: ownsSeeds ? ', user?: User' : '',
    userArgument: ownsSeeds ? ', user' : '',
    isSeed,
    namesDraft,
    sampleRefs: hasSeeds ? `, ${usesRefs ? '' : '_'}refs: ${entity.pascal}Refs` : '',
    refsParameter: hasSeeds ? `, refs: ${entity.pascal}Refs` : '',
    refsArgument: hasSeeds ? ', refs' : '',
    sampleDraft: owner
      ? `{ ...draft, ${owner.field.camel}: ${idOf(owner, isDistinct(owner))} }`
      : 'draft',
  }
}

function seedOf(model: Model, seed: Feature, ownsSeeds: boolean): Seed {
  const { pascal, camel, kebab } = seed.entity
  const isUser = isLoginUser(model, seed)
  const create = `await ${seedCall(model, seed, ownsSeeds)}`
  return {
    key: camel,
    call: `seed${pascal}`,
    create: isUser && ownsSeeds ? `user ?? (${create})` : create,
    from: isUser ? '../support/seed-user.js' : `./${kebab}.sample.js`,
  }
}

/** Creates one record for each sample: a distinct key refers to a record only once. */
function seedsOf(model: Model, seed: Feature, ownsSeeds: boolean): Seed {
  const call = seedCall(model, seed, ownsSeeds)
  return {
    ...seedOf(model, seed, ownsSeeds),
    key: seed.entity.plural.camel,
    create: `await Promise.all(Array.from({ length: count }, () => ${call}))`,
  }
}

function seedCall(model: Model, seed: Feature, ownsSeeds: boolean): string {
  const isOwned = ownsSeeds && isSeededForUser(model, seed)
  return `seed${seed.entity.pascal}(repositories${isOwned ? ', user' : ''})`
}

/** Returns the expression of the id that a sample's key refers to. */
function idOf({ target }: Pick<Forward, 'target'>, isDistinct: boolean): string {
  const { camel, plural } = target.entity
  if (!isDistinct) return `refs.${camel}.id`
  return `refs.${plural.camel}[n % refs.${plural.camel}.length]?.id ?? 0`
}

/**
 * Returns true if the test of some feature may refer only to records of its caller, and a record of this feature is
 * among them.
 */
function isSeededForUser(model: Model, feature: Feature): boolean {
  const withUser = seedsBelow(model, feature).some(({ entity }) => entity.pascal === 'User')
  const guarded = model.features.filter((each) => guardedKeys(model, each).length > 0)
  const users = guarded.flatMap((each) => [each, ...seedsBelow(model, each)])
  return model.auth && withUser && users.includes(feature)
}

/** Lists the features of which a sample needs a record, and those that their samples need. */
function seedsBelow(model: Model, feature: Feature): readonly Feature[] {
  return samplesReferTo(model, feature).flatMap((seed) => [seed, ...seedsBelow(model, seed)])
}
