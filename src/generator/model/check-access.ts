import { StrataError } from '../errors.ts'
import { accessOf, isPrivate, ownedWholesOf, wholesOf } from './access.ts'
import { entityOf } from './entities.ts'
import type { Feature, Model } from './model.ts'

/**
 * Throws `usage` for invalid values of `--protect`, `--owner` and `--private`, and for relations whose access would be
 * ambiguous, or would show private records. All references must have targets, and wholes may not form a cycle.
 */
export function assertAccess(model: Model, feature: Feature): void {
  assertUsers(model, feature)
  assertOwner(feature)
  assertWholes(model, feature)
  assertNoPrivateLists(model, feature)
  assertPlainOwners(model, feature)
}

function assertUsers({ auth }: Model, feature: Feature): void {
  if (auth || (feature.protect === 'none' && feature.owner === undefined && !feature.private))
    return
  throw failure(
    'this project has no users: --protect, --owner and --private need a project created with --auth',
  )
}

function assertOwner({ entity, fields, owner, ...feature }: Feature): void {
  const keys = fields.filter(({ references }) => references?.target === 'User')
  const list = keys.map(({ name }) => name).join(', ') || 'none: add author_id:uint:fk(User)'
  if (owner === undefined) {
    if (!feature.private) return
    throw failure(
      `private records of ${entity.pascal} need an owner, who can see them: pass --owner <field> (foreign keys to User: ${list})`,
    )
  }
  if (keys.some(({ name }) => name === owner)) return
  throw failure(
    `the owner of ${entity.pascal} must be a foreign key to User, and ${owner} is not (these are: ${list})`,
  )
}

function assertWholes(model: Model, feature: Feature): void {
  const { pascal } = feature.entity
  const owned = ownedWholesOf(model, feature)
  if (owned.length > 1) {
    const names = owned.map(({ whole }) => whole.entity.pascal).join(' and ')
    throw failure(
      `${pascal} would be a part of ${names}, which both have an owner: pass --owner for ${pascal}, or remove one cascade`,
    )
  }
  const hidden = wholesOf(model, feature).filter(({ whole }) => isPrivate(model, whole))
  const loose = [...owned, ...hidden].find(({ key }) => key.optional)
  if (loose === undefined) return
  throw failure(
    `${loose.key.name} of ${pascal} can't be optional: the owner of the ${loose.whole.entity.words} decides who may use the ${feature.entity.words}. Leave out optional, or cascade`,
  )
}

/** A `many` relation shows whole records to everybody who may read the list. */
function assertNoPrivateLists(model: Model, { entity, many }: Feature): void {
  const shown = many.find(({ target }) => isPrivate(model, entityOf(model, target)))
  if (shown === undefined) return
  throw failure(
    `${shown.name}:many would show private records of ${shown.target} in ${entity.pascal}: use a foreign key, or pass --no-private for ${shown.target}`,
  )
}

/** The owner of a private record is the only user who sees it, unless a private whole has an owner, too. */
function assertPlainOwners(model: Model, feature: Feature): void {
  for (const { name, references } of feature.fields) {
    const target = entityOf(model, references?.target ?? feature.entity.pascal)
    if (references === undefined || target === feature) continue
    const { owner, viewers } = accessOf(model, target)
    const isPlain = viewers.every((path) => path.at(-1) === owner?.at(-1)) && viewers.length < 2
    if (isPlain) continue
    throw failure(
      `${name} can't refer to ${target.entity.pascal}, which has an owner and is a part of private records: remove the owner of ${target.entity.pascal}`,
    )
  }
}

function failure(message: string): StrataError {
  return new StrataError('usage', message)
}
