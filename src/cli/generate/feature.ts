import { StrataError } from '../../generator/errors.ts'
import { accessOf, wholesOf } from '../../generator/model/access.ts'
import { featureEquals, withFeature } from '../../generator/model/build.ts'
import { entityOf } from '../../generator/model/entities.ts'
import type { Feature, Model } from '../../generator/model/model.ts'
import { renameInModel } from '../../generator/model/rename.ts'
import { describeReplaced } from '../../generator/spec/field-edit.ts'
import {
  type ChangeOptions,
  changeProject,
  type ModelChange,
  printChange,
} from './change-project.ts'
import { type RequestOptions, readRequest } from './requested-feature.ts'
import { requireWrittenModel } from './written-model.ts'

export type FeatureOptions = ChangeOptions & RequestOptions

/** `strata feature`: adds a feature to the project around the working directory, or changes one. */
export async function feature(
  entity: string,
  fields: string[],
  options: FeatureOptions,
): Promise<void> {
  const request = readRequest(entity, fields, options)
  const { pascal } = request
  let isProtectedByDefault = false
  const changed = await changeProject(options, (project, declared) => {
    const before = requireWrittenModel(project, declared, [pascal])
    const existing = declared.features.find((each) => each.entity.pascal === pascal)
    const known = declared.features.map((each) => each.entity.pascal)
    const requested = request.feature(existing, known)
    if (existing !== undefined && hasOtherPlural(existing, requested)) {
      return renamedPlural(requireWrittenModel(project, declared, []), existing, requested)
    }
    // In a project with users, a new feature protects its writes unless the command line chooses otherwise.
    isProtectedByDefault = declared.auth && existing === undefined && options.protect === undefined
    const after = withFeature(before, {
      ...requested,
      ...(isProtectedByDefault && { protect: 'write' }),
    })
    const notice = request.replacesFields ? replacement(existing, requested) : undefined
    // Use the feature of `after`, which is complete: for example, an owner has set its protection.
    return { before, after, requested: [entityOf(after, pascal)], notice }
  })
  const written = entityOf(changed.after, pascal)
  printChange(changed, options, {
    nothing: `${pascal} already has these fields and options`,
    heading: (verb) => `${verb} ${pascal}`,
    after: [
      '',
      `GET /api/v1/${written.entity.plural.kebab}`,
      ...accessLines(changed.after, written, isProtectedByDefault),
    ],
  })
}

function hasOtherPlural({ entity }: Feature, { entity: requested }: Feature): boolean {
  return entity.plural.snake !== requested.plural.snake
}

/** Another plural renames the table with its rows. Throws `usage` if the command line changes more than the plural. */
function renamedPlural(before: Model, existing: Feature, requested: Feature): ModelChange {
  const { pascal, plural } = requested.entity
  if (!featureEquals({ ...requested, entity: existing.entity }, existing)) {
    throw new StrataError(
      'usage',
      `another plural renames the table of ${pascal}: change the plural alone first, with strata feature ${pascal} --plural ${plural.kebab}`,
    )
  }
  const after = renameInModel(before, { kind: 'entity', from: pascal, to: requested.entity })
  return { before, after, requested: [], isRename: true }
}

/** Returns a sentence with the fields that a list drops or changes, or `undefined` if there are none. */
function replacement(existing: Feature | undefined, requested: Feature): string | undefined {
  const replaced = existing && describeReplaced(existing, requested)
  return (
    replaced &&
    `the list replaces the fields of ${requested.entity.pascal}: ${replaced} (--add and --drop change single fields)`
  )
}

/** Tells who may use the routes, if the command line does not say so itself. */
function accessLines(model: Model, feature: Feature, isProtectedByDefault: boolean): string[] {
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
