import { StrataError } from '../generator/errors.ts'
import { createFeature, withFeature } from '../generator/model/build.ts'
import type { Feature, Model } from '../generator/model/model.ts'
import { entityNames } from '../generator/model/names.ts'
import { sameIn } from '../generator/plan/differences.ts'
import { parseProtection, parseSearch } from '../generator/spec/feature-options.ts'
import { parseFieldArgs, parseFieldList } from '../generator/spec/field-list.ts'
import { type ChangeOptions, changeProject, printChange } from './change-project.ts'
import { writtenModel } from './written-model.ts'

export interface FeatureOptions extends ChangeOptions {
  fields?: string
  plural?: string
  search?: string
  protect?: string
  owner?: string
}

/** `strata feature`: adds a feature to the project around the working directory, or changes one. */
export async function feature(
  entity: string,
  fields: string[],
  options: FeatureOptions,
): Promise<void> {
  const wanted = parseFeature(entity, fields, options)
  const changed = await changeProject(options, (project, said) => {
    const before = writtenModel(project, said, [wanted.entity.pascal])
    const after = withFeature(before, withChoicesOf(said, wanted, options))
    // As the model has it: an owner, for one, protects it.
    return { before, after, asked: [sameIn(after, wanted) ?? wanted] }
  })
  const { pascal, plural } = (sameIn(changed.after, wanted) ?? wanted).entity
  printChange(changed, options, {
    nothing: `${pascal} is as you say`,
    heading: (verb) => `${verb} ${pascal}`,
    after: ['', `GET /api/v1/${plural.kebab}`],
  })
}

function parseFeature(entity: string, args: string[], options: FeatureOptions): Feature {
  const { fields, plural, search, protect, owner } = options
  if (fields !== undefined && args.length > 0) {
    throw new StrataError('usage', 'give the fields with --fields or one by one, not both')
  }
  const lists = fields === undefined ? parseFieldArgs(args) : parseFieldList(fields)
  return createFeature({
    entity: entityNames(entity, plural === undefined ? {} : { plural }),
    ...lists,
    ...(search !== undefined && { search: parseSearch(search, lists.fields) }),
    ...(protect !== undefined && { protect: parseProtection(protect) }),
    ...(owner !== undefined && { owner }),
  })
}

/** What was chosen once and is not said again stays. */
function withChoicesOf(said: Model, wanted: Feature, options: FeatureOptions): Feature {
  const existing = sameIn(said, wanted)
  if (existing === undefined) return wanted
  const { search, protect, owner } = existing
  return {
    ...wanted,
    ...(options.plural === undefined && { entity: existing.entity }),
    ...(options.search === undefined && { search }),
    ...(options.protect === undefined && { protect }),
    ...(options.owner === undefined && owner !== undefined && { owner }),
  }
}
