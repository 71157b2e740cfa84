import { StrataError } from '../errors.ts'
import type { Feature, Field, Model } from './model.ts'
import { assertNoCycle } from './part-cycles.ts'
import { assertMembers } from './record-members.ts'
import { entitiesOf, forwardOf } from './relations.ts'

/**
 * Throws `usage` when a feature refers to what is not there, or to what it can't be related to, or needs two
 * members of one name.
 */
export function assertRelations(model: Model): void {
  for (const feature of model.features) {
    for (const field of feature.fields) assertForeignKey(model, feature, field)
    for (const { name, target } of feature.many) {
      assertTarget(model, { input: `${name}:many(${target})`, name, target })
      if (target === feature.entity.pascal) {
        throw failure(`${name} relates ${target} to itself, which many can't: use a foreign key`)
      }
    }
    assertSearch(feature)
    assertAccess(model, feature)
  }
  for (const feature of model.features) assertMembers(model, feature)
  assertNoCycle(model)
  for (const feature of model.features) assertFirstRecord(model, feature, [])
}

/** Throws `usage` where a record needs another to be there that needs it in turn. */
function assertFirstRecord(model: Model, feature: Feature, above: readonly string[]): void {
  const { pascal } = feature.entity
  const path = [...above, pascal]
  if (above.includes(pascal)) {
    throw failure(
      `${path.slice(path.indexOf(pascal)).join(' needs ')}, so there could be no first record: make one of the keys optional`,
    )
  }
  for (const { field, target } of forwardOf(model, feature)) {
    if (!field.optional) assertFirstRecord(model, target, path)
  }
}

function assertForeignKey(model: Model, { entity }: Feature, field: Field): void {
  if (field.references === undefined) return
  const { name, optional, unique } = field
  if (unique) {
    throw failure(`${name} can't be unique: one-to-one relations are not available yet`)
  }
  const { target } = field.references
  assertTarget(model, { input: `${name}:uint:fk(${target})`, name, target })
  if (target !== entity.pascal || optional) return
  throw failure(
    `${name} refers to ${target} itself and is required, so there could be no first record: make it optional`,
  )
}

interface Use {
  /** As the command line has it. */
  readonly input: string
  readonly name: string
  readonly target: string
}

function assertTarget(model: Model, { input, name, target }: Use): void {
  const known = entitiesOf(model).map(({ entity }) => entity.pascal)
  if (known.includes(target)) return
  const near = known.find((each) => each.toLowerCase() === target.toLowerCase())
  const proposal = near === undefined ? '' : ` did you mean ${near}?`
  const list = known.length === 0 ? 'none yet' : known.join(', ')
  throw new StrataError(
    'usage',
    `${name} refers to ${target}, and there is no such entity:${proposal} make it first with strata feature ${target} (the entities are ${list})`,
    { place: { input, start: input.indexOf('(') + 1, length: target.length } },
  )
}

const searchable: ReadonlySet<string> = new Set(['string', 'text', 'email'])

function assertSearch({ entity, fields, search }: Feature): void {
  const isText = (name: string) =>
    fields.some((field) => field.name === name && searchable.has(field.type.kind))
  const wrong = search.find((name) => !isText(name))
  if (wrong === undefined) return
  throw failure(
    `${entity.pascal} is searched in ${wrong}, which is no string, text or email of it: say --search again`,
  )
}

function assertAccess({ auth }: Model, { entity, fields, protect, owner }: Feature): void {
  if (!auth && (protect !== 'none' || owner !== undefined)) {
    throw failure(
      'there are no users who could have a credential: --protect and --owner need a project made with --auth',
    )
  }
  if (owner === undefined) return
  const field = fields.find(({ name }) => name === owner)
  const keys = fields.filter(({ references }) => references?.target === 'User')
  if (field !== undefined && keys.includes(field)) return
  const list = keys.map(({ name }) => name).join(', ') || 'none: add author_id:uint:fk(User)'
  throw failure(
    `the owner of ${entity.pascal} must be a foreign key to User, and ${owner} is not (there is ${list})`,
  )
}

function failure(message: string): StrataError {
  return new StrataError('usage', message)
}
