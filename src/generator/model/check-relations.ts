import { StrataError } from '../errors.ts'
import { assertAccess } from './check-access.ts'
import { entitiesOf } from './entities.ts'
import { searchableKinds } from './field-kinds.ts'
import type { Feature, Field, Model } from './model.ts'
import { assertNoCycle } from './part-cycles.ts'
import { assertMembers } from './record-members.ts'
import { forwardOf } from './relations.ts'

/**
 * Checks the references between features. Throws `usage` for a missing entity, an impossible relation, a cycle,
 * two members of one name, and invalid values of `--search`, `--protect`, `--owner` and `--private`.
 */
export function assertRelations(model: Model): void {
  for (const feature of model.features) {
    for (const field of feature.fields) assertForeignKey(model, feature, field)
    for (const { name, target } of feature.many) {
      assertTarget(model, { input: `${name}:many(${target})`, name, target })
      if (target === feature.entity.pascal) {
        throw failure(`${name}: many can't relate ${target} to itself: use a foreign key`)
      }
    }
    assertSearch(feature)
  }
  for (const feature of model.features) assertMembers(model, feature)
  assertNoCycle(model)
  for (const feature of model.features) assertAccess(model, feature)
  for (const feature of model.features) assertFirstRecord(model, feature, [])
}

/** Throws `usage` if required foreign keys form a cycle: no first record could be created. */
function assertFirstRecord(model: Model, feature: Feature, above: readonly string[]): void {
  const { pascal } = feature.entity
  const path = [...above, pascal]
  if (above.includes(pascal)) {
    throw failure(
      `${path.slice(path.indexOf(pascal)).join(' needs ')}, so no first record can be created: make one of the keys optional`,
    )
  }
  for (const { field, target } of forwardOf(model, feature)) {
    if (!field.optional) assertFirstRecord(model, target, path)
  }
}

function assertForeignKey(model: Model, { entity }: Feature, field: Field): void {
  if (field.references === undefined) return
  const { name, optional } = field
  const { target } = field.references
  assertTarget(model, { input: `${name}:uint:fk(${target})`, name, target })
  if (target !== entity.pascal || optional) return
  throw failure(
    `${name} requires another ${target}, so no first record can be created: make ${name} optional`,
  )
}

interface TargetUse {
  /** Prints the field as on the command line. */
  readonly input: string
  readonly name: string
  readonly target: string
}

function assertTarget(model: Model, { input, name, target }: TargetUse): void {
  const known = entitiesOf(model).map(({ entity }) => entity.pascal)
  if (known.includes(target)) return
  const near = known.find((each) => each.toLowerCase() === target.toLowerCase())
  const proposal = near === undefined ? '' : ` did you mean ${near}?`
  const list = known.length === 0 ? 'none yet' : known.join(', ')
  throw new StrataError(
    'usage',
    `${name} refers to ${target}, which does not exist:${proposal} create it first with strata feature ${target} (the entities are ${list})`,
    { place: { input, start: input.indexOf('(') + 1, length: target.length } },
  )
}

function assertSearch({ entity, fields, search }: Feature): void {
  const isText = (name: string) =>
    fields.some((field) => field.name === name && searchableKinds.has(field.type.kind))
  const wrong = search.find((name) => !isText(name))
  if (wrong === undefined) return
  throw failure(
    `--search of ${entity.pascal} names ${wrong}, which is not a string, text or email field: pass another --search`,
  )
}

function failure(message: string): StrataError {
  return new StrataError('usage', message)
}
