import { type Access, accessOf, isPrivate, ownedWholesOf, wholesOf } from '../model/access.ts'
import { entityOf } from '../model/entities.ts'
import type { Feature, Field, Model } from '../model/model.ts'
import { relationName } from '../model/relations.ts'
import type { Relations } from './relation-view.ts'

/** Template data: authentication and ownership of one feature. */
export interface AccessView {
  isProtected: boolean
  /** Whether the service needs the caller for some calls. */
  needsCaller: boolean
  /** The middleware as last parameter and argument of the router's function, with a leading comma, or ''. */
  guardParameter: string
  guardArgument: string
  /** Middleware before a handler, with a trailing comma, or ''. */
  readGuard: string
  writeGuard: string
  /** The caller as last parameter and argument of use-case calls, with a leading comma, or ''. */
  callerParameter: string
  callerArgument: string
  readerParameter: string
  readerArgument: string
  removerParameter: string
  removerArgument: string
  /** The foreign key to the record's own owner, or ''. */
  owner: string
  /** The owner in sentences: `author`, or `customer of the order` for a part; '' without an owner. */
  ownerWords: string
  /** The type of the owner's id, or ''. */
  ownerType: string
  /** Property of a new record that names the caller as owner, with a trailing comma, or ''. */
  ownerOfRecord: string
  /** Whether the list has the filter `visibleTo`. */
  isPrivate: boolean
  /** Expression of the query that the service passes to the repository. */
  listArgument: string
  /** The functions of the service that check access, as names of partials with their data. */
  accessChecks: readonly AccessCheck[]
  /** Statements before a read, a create, an update and a removal. */
  readChecks: readonly string[]
  createChecks: readonly string[]
  updateChecks: readonly string[]
  removeChecks: readonly string[]
  createAsync: string
  /** Repositories that the checks of references need, besides the feature's own. */
  guardedRepositories: readonly GuardedRepository[]
}

interface AccessCheck {
  readonly partial: string
  readonly [name: string]: unknown
}

export interface GuardedRepository {
  /** Name of the dependency, and the property of all repositories. */
  readonly name: string
  readonly property: string
  readonly pascal: string
  readonly kebab: string
}

/** A foreign key whose target only some users may refer to. */
export interface GuardedKey {
  readonly field: Field
  readonly target: Feature
  /** Status of the response to other users. */
  readonly status: 403 | 404
}

export function accessView(
  model: Model,
  feature: Feature,
  { owner }: Relations,
  listParameter: string,
): AccessView {
  const access = accessOf(model, feature)
  const guard = 'requireCaller, '
  const parameter = (isNeeded: boolean) => (isNeeded ? ', caller: Caller' : '')
  const argument = (isNeeded: boolean) => (isNeeded ? ', callerOf(res)' : '')
  const isProtected = hasGuard(model, feature)
  const isHidden = access.viewers.length > 0
  const checks = checksOf(model, feature, access)
  const changesNeedCaller = owner !== undefined || checks.update.length > 0
  const needsCaller = changesNeedCaller || isHidden
  const ownerField = access.owner?.at(-1)
  return {
    isProtected,
    needsCaller,
    guardParameter: isProtected ? ', requireCaller: RequestHandler' : '',
    guardArgument: guardArgument(model, feature),
    readGuard: access.reads === 'open' ? '' : guard,
    writeGuard: access.writes === 'open' ? '' : guard,
    callerParameter: parameter(changesNeedCaller),
    callerArgument: argument(changesNeedCaller),
    readerParameter: parameter(isHidden),
    readerArgument: argument(isHidden),
    removerParameter: parameter(checks.remove.length > 0),
    removerArgument: argument(checks.remove.length > 0),
    owner: owner?.field.camel ?? '',
    ownerWords: ownerWords(access),
    ownerType: ownerField ? `number${ownerField.optional ? ' | null' : ''}` : '',
    ownerOfRecord: owner ? `${owner.field.camel}: caller.id, ` : '',
    isPrivate: isHidden,
    listArgument: isHidden
      ? "{ ...query, visibleTo: caller.role === 'admin' ? undefined : caller.id }"
      : listParameter,
    accessChecks: checks.functions,
    readChecks: isHidden ? checks.visible : [],
    createChecks: checks.create,
    updateChecks: checks.update,
    removeChecks: checks.remove,
    createAsync: checks.create.length > 0 ? 'async ' : '',
    guardedRepositories: guardedRepositories(model, feature),
  }
}

/** Returns true if some routes of the feature need a token. */
export function hasGuard(model: Model, feature: Feature): boolean {
  const { reads, writes } = accessOf(model, feature)
  return writes !== 'open' || reads !== 'open'
}

export function guardArgument(model: Model, feature: Feature): string {
  return hasGuard(model, feature) ? ', requireCaller' : ''
}

/** Returns the changes that some callers with a token may not make: they get 403. */
export function forbiddenChanges(model: Model, feature: Feature) {
  const { writes, owner, viewers } = accessOf(model, feature)
  const isAdmin = writes === 'admin'
  const keys = guardedKeys(model, feature).some(({ status }) => status === 403)
  const isOthers = isAdmin || (owner !== undefined && (viewers.length === 0 || isSeen(feature)))
  return { create: isAdmin || keys, update: isOthers || keys, remove: isOthers }
}

/** Returns true if users who are not the owner may see a record. */
function isSeen({ owner, private: isOwnPrivate }: Feature): boolean {
  return owner !== undefined && !isOwnPrivate
}

/**
 * Lists the foreign keys that need a check: to the whole that a part follows, and to private records. Admins may refer to
 * every record, so a feature that only admins change has no such keys.
 */
export function guardedKeys(model: Model, feature: Feature): readonly GuardedKey[] {
  if (accessOf(model, feature).writes !== 'token') return []
  const owned = ownedWholesOf(model, feature)
  return feature.fields.flatMap((field) => {
    if (field.references === undefined) return []
    const target = entityOf(model, field.references.target)
    const isHidden = isPrivate(model, target)
    const isFollowed = owned.some(({ key }) => key === field)
    if (!isHidden && !isFollowed) return []
    return [{ field, target, status: isHidden ? 404 : 403 }]
  })
}

/** Lists the repositories of other features that a feature's service asks for owners. */
export function guardedRepositories(model: Model, feature: Feature): readonly GuardedRepository[] {
  const keys = [...guardedKeys(model, feature).map(({ target }) => target)]
  const wholes = hiddenWholes(model, feature).map(({ whole }) => whole)
  const others = [...new Set([...keys, ...wholes])].filter((target) => target !== feature)
  return others.map(({ entity: { camel, pascal, kebab, plural } }) => ({
    name: `${camel}Repository`,
    property: plural.camel,
    pascal,
    kebab,
  }))
}

interface Checks {
  readonly functions: readonly AccessCheck[]
  readonly visible: readonly string[]
  readonly create: readonly string[]
  readonly update: readonly string[]
  readonly remove: readonly string[]
}

function checksOf(model: Model, feature: Feature, access: Access): Checks {
  const { entity } = feature
  const isAdmin = access.writes === 'admin'
  const isHidden = access.viewers.length > 0
  const isOwnerHidden = feature.private || (isHidden && feature.owner === undefined)
  const hidden = hiddenWholes(model, feature)
  const data = { words: entity.words, plural: entity.plural, ownerWords: ownerWords(access) }
  const keys = guardedKeys(model, feature)
  const usesOwner = access.owner !== undefined && (isOwnerHidden || !isAdmin)
  const owned = usesOwner ? ['await assertOwned(id, caller)'] : []
  const visible = [
    ...(hidden.length > 0 ? ['await assertVisible(id, caller)'] : []),
    ...(isOwnerHidden ? owned : []),
  ]
  const admin = ['assertAdmin(caller)']
  const record = isAdmin ? admin : [...new Set([...visible, ...owned])]
  const keyChecks = (values: string) =>
    keys.map(({ field }) => `await ${assertName(field)}(${values}.${field.camel}, caller)`)
  return {
    functions: [
      ...(hidden.length > 0
        ? [
            {
              partial: 'access/assert-visible',
              wholeKeys: hidden.map(({ key, whole }) => ({
                key: key.camel,
                repository: `${whole.entity.camel}Repository`,
              })),
            },
          ]
        : []),
      ...(usesOwner
        ? [
            {
              partial: isOwnerHidden ? 'access/assert-owned-private' : 'access/assert-owned',
              ...data,
            },
          ]
        : []),
      ...(isAdmin ? [{ partial: 'access/assert-admin', ...data }] : []),
      ...keys.map((key) => keyCheck(model, feature, key)),
    ],
    visible,
    create: isAdmin ? admin : keyChecks('draft'),
    update: [...record, ...keyChecks('changes')],
    remove: record,
  }
}

function keyCheck(model: Model, feature: Feature, key: GuardedKey): AccessCheck {
  const { field, target, status } = key
  return {
    partial: status === 404 ? 'access/assert-private-reference' : 'access/assert-whole',
    assert: assertName(field),
    repository: target === feature ? 'repository' : `${target.entity.camel}Repository`,
    targetWords: target.entity.words,
    idType: field.optional ? 'number | null | undefined' : 'number | undefined',
    ownerWords: ownerWords(accessOf(model, target)),
  }
}

/** Lists the private wholes of records with an owner of their own. Other parts of private records follow one whole. */
function hiddenWholes(model: Model, feature: Feature) {
  if (feature.owner === undefined) return []
  return wholesOf(model, feature).filter(({ whole }) => isPrivate(model, whole))
}

function assertName(field: Field): string {
  const { camel } = relationName(field)
  return `assertAccessTo${camel.charAt(0).toUpperCase()}${camel.slice(1)}`
}

function ownerWords({ owner = [] }: Access): string {
  return owner
    .map((field) => relationName(field).name.replaceAll('_', ' '))
    .reverse()
    .join(' of the ')
}
