import { StrataError } from '../../generator/errors.ts'
import { accessOf, wholesOf } from '../../generator/model/access.ts'
import { createFeature, withFeature } from '../../generator/model/build.ts'
import type { Feature, Model } from '../../generator/model/model.ts'
import { entityNames } from '../../generator/model/names.ts'
import { findFeature } from '../../generator/plan/differences.ts'
import { parseProtection, parseSearch } from '../../generator/spec/feature-options.ts'
import { parseFieldArgs, parseFieldList } from '../../generator/spec/field-list.ts'
import { type ChangeOptions, changeProject, printChange } from './change-project.ts'
import { requireWrittenModel } from './written-model.ts'

export interface FeatureOptions extends ChangeOptions {
  fields?: string
  plural?: string
  search?: string
  protect?: string
  owner?: string
  private?: boolean
}

/** `strata feature`: adds a feature to the project around the working directory, or changes one. */
export async function feature(
  entity: string,
  fields: string[],
  options: FeatureOptions,
): Promise<void> {
  const requested = parseFeature(entity, fields, options)
  let isProtectedByDefault = false
  const changed = await changeProject(options, (project, declared) => {
    isProtectedByDefault = protectsByDefault(declared, requested, options)
    const before = requireWrittenModel(project, declared, [requested.entity.pascal])
    const after = withFeature(before, {
      ...keepEarlierOptions(declared, requested, options),
      ...(isProtectedByDefault && { protect: 'write' }),
    })
    // Use the feature of `after`, which is complete: for example, an owner has set its protection.
    return { before, after, requested: [findFeature(after, requested) ?? requested] }
  })
  const { pascal, plural } = (findFeature(changed.after, requested) ?? requested).entity
  printChange(changed, options, {
    nothing: `${pascal} already has these fields and options`,
    heading: (verb) => `${verb} ${pascal}`,
    after: [
      '',
      `GET /api/v1/${plural.kebab}`,
      ...accessLines(changed.after, requested, isProtectedByDefault),
    ],
  })
}

function parseFeature(entity: string, args: string[], options: FeatureOptions): Feature {
  const { fields, plural, search, protect, owner } = options
  if (fields !== undefined && args.length > 0) {
    throw new StrataError('usage', 'pass the fields with --fields or as arguments, not both')
  }
  const lists = fields === undefined ? parseFieldArgs(args) : parseFieldList(fields)
  return createFeature({
    entity: entityNames(entity, plural === undefined ? {} : { plural }),
    ...lists,
    ...(search !== undefined && { search: parseSearch(search, lists.fields) }),
    ...(protect !== undefined && { protect: parseProtection(protect) }),
    ...(owner !== undefined && owner !== 'none' && { owner }),
    ...(options.private && { private: true }),
  })
}

/** Tells who may use the routes, if the command line does not say so itself. */
function accessLines(model: Model, requested: Feature, isProtectedByDefault: boolean): string[] {
  const feature = findFeature(model, requested) ?? requested
  const { owner, viewers, writes } = accessOf(model, feature)
  const wholes = wholesOf(model, feature).map(({ whole }) => whole.entity.pascal)
  const asWhole = `as for ${wholes.join(' and ')}`
  if (viewers.length > 0) {
    const rule = 'all routes require a token, and show a record to its owner and to admins alone'
    return [feature.private ? rule : `${rule}, ${asWhole}`]
  }
  if (owner !== undefined && feature.owner === undefined)
    return [`POST, PUT and DELETE require the token of the owner or of an admin, ${asWhole}`]
  if (writes === 'admin' && feature.protect !== 'admin')
    return [`POST, PUT and DELETE require the token of an admin, ${asWhole}`]
  return isProtectedByDefault && owner === undefined
    ? ['POST, PUT and DELETE require a token: --protect none opens them to everybody']
    : []
}

/** In a project with users, a new feature protects its writes unless the command line chooses otherwise. */
function protectsByDefault(model: Model, requested: Feature, options: FeatureOptions): boolean {
  const isNew = findFeature(model, requested) === undefined
  return model.auth && isNew && options.protect === undefined
}

/** Keeps the options of the existing feature that this command line omits. */
function keepEarlierOptions(declared: Model, requested: Feature, options: FeatureOptions): Feature {
  const existing = findFeature(declared, requested)
  if (existing === undefined) return requested
  const { search, protect, owner } = existing
  const keepsOwner = options.owner === undefined && owner !== undefined
  const keepsPrivate = options.private === undefined && options.owner !== 'none'
  return {
    ...requested,
    ...(options.plural === undefined && { entity: existing.entity }),
    ...(options.search === undefined && { search }),
    ...(options.protect === undefined && { protect }),
    ...(keepsOwner && { owner }),
    ...(keepsPrivate && existing.private && { private: true }),
  }
}
