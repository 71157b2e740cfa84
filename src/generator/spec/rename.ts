import { StrataError } from '../errors.ts'
import { fieldName } from '../model/field-name.ts'
import type { Feature, Model } from '../model/model.ts'
import { entityNames } from '../model/names.ts'
import type { EntityRename, Rename } from '../model/rename.ts'
import { didYouMean } from './nearest.ts'

/**
 * Reads the arguments of `strata rename`: `Post Article` or `Post.title headline`. Returns `undefined` if the model
 * already has the new name instead of the previous one. Throws `usage`.
 */
export function parseRename(
  model: Model,
  from: string,
  to: string,
  options: { plural?: string | undefined; alias?: boolean | undefined } = {},
): Rename | undefined {
  const [entity = '', field, ...rest] = from.split('.')
  if (rest.length > 0)
    throw new StrataError(
      'usage',
      `${JSON.stringify(from)} is not a name: write Post or Post.title`,
    )
  if (to.includes('.'))
    throw new StrataError('usage', `write only the new name: ${to.split('.').at(-1)}`)
  if (field !== undefined) {
    if (options.plural !== undefined)
      throw new StrataError('usage', '--plural is for an entity: a field has no plural')
    if (options.alias)
      throw new StrataError('usage', '--alias is for an entity: a field has no path')
    return parseFieldRename(model, entity, field, to)
  }
  const { plural, alias = false } = options
  const rename = parseEntityRename(model, entity, to, plural === undefined ? {} : { plural })
  return rename && { ...rename, ...(alias && { keepsPath: movesPath(model, rename) }) }
}

function parseFieldRename(
  model: Model,
  entity: string,
  field: string,
  to: string,
): Rename | undefined {
  const feature = requireFeature(model, entityNames(entity).pascal)
  const { pascal } = feature.entity
  const names = [...feature.fields, ...feature.many].map(({ name }) => name)
  const previous = fieldName(field).name
  const next = fieldName(to)
  if (previous === next.name && names.includes(previous)) return undefined
  if (!names.includes(previous)) {
    if (names.includes(next.name)) return undefined
    throw new StrataError(
      'usage',
      `there is no field ${previous} in ${pascal}:${didYouMean(previous, names)} its fields are ${names.join(', ')}`,
    )
  }
  return { kind: 'field', entity: pascal, from: previous, to: next }
}

function parseEntityRename(
  model: Model,
  entity: string,
  to: string,
  options: { plural?: string },
): EntityRename | undefined {
  const previous = entityNames(entity)
  const next = entityNames(to, options)
  const find = (pascal: string) => model.features.find((each) => each.entity.pascal === pascal)
  const isDone = find(next.pascal)?.entity.plural.snake === next.plural.snake
  if (isDone && (previous.pascal === next.pascal || find(previous.pascal) === undefined))
    return undefined
  requireFeature(model, previous.pascal)
  if (previous.pascal !== next.pascal && find(next.pascal) !== undefined)
    throw new StrataError('usage', `there already is a feature ${next.pascal}: choose another name`)
  return { kind: 'entity', from: previous.pascal, to: next }
}

/** Throws `usage` if the entity keeps its path, so that `--alias` would have no effect. */
function movesPath(model: Model, { from, to }: EntityRename): true {
  const path = requireFeature(model, from).entity.plural.kebab
  if (path !== to.plural.kebab) return true
  throw new StrataError('usage', `the path stays ${path}: leave out --alias`)
}

function requireFeature({ auth, features }: Model, pascal: string): Feature {
  const found = features.find(({ entity }) => entity.pascal === pascal)
  if (found !== undefined) return found
  if (auth && pascal === 'User')
    throw new StrataError('usage', 'User is part of --auth and cannot be renamed')
  const names = features.map(({ entity }) => entity.pascal)
  throw new StrataError(
    'usage',
    `there is no feature ${pascal}:${didYouMean(pascal, names)} the features are ${names.join(', ') || 'none yet'}`,
  )
}
