import { StrataError } from '../generator/errors.ts'
import { createFeature, withFeature } from '../generator/model/build.ts'
import type { Feature, Model } from '../generator/model/model.ts'
import { entityNames } from '../generator/model/names.ts'
import { projectPath } from '../generator/plan/base.ts'
import type { Plan } from '../generator/plan/plan.ts'
import { planFeature } from '../generator/plan/plan-feature.ts'
import { parseProtection, parseSearch } from '../generator/spec/feature-options.ts'
import { parseFieldArgs, parseFieldList } from '../generator/spec/field-list.ts'
import { readModel } from '../generator/spec/project-file.ts'
import { parseStoreKind } from '../generator/spec/store-kind.ts'
import { availableKinds } from '../generator/stores/stores.ts'
import { applyPlan, refuseUnfinishedRun } from '../generator/write/apply-plan.ts'
import { checkPlan } from '../generator/write/check-plan.ts'
import { nodeDisk } from '../generator/write/disk.ts'
import { withProjectLock } from '../generator/write/project-lock.ts'
import { recoverProject } from '../generator/write/recover-project.ts'
import { findProject, openProject } from './project.ts'
import { changesNothing, planAsJson, planAsLines } from './show-plan.ts'
import { writtenModel } from './written-model.ts'

export interface FeatureOptions {
  fields?: string
  plural?: string
  search?: string
  protect?: string
  owner?: string
  dryRun?: boolean
  json?: boolean
  keep?: boolean
  theirs?: string[]
  allowDestructive?: boolean
}

/** `strata feature`: adds a feature to the project around the working directory, or changes one. */
export async function feature(
  entity: string,
  fields: string[],
  options: FeatureOptions,
): Promise<void> {
  const wanted = parseFeature(entity, fields, options)
  const root = findProject(process.cwd())
  const planned = options.dryRun
    ? await preview(root, wanted, options)
    : await change(root, wanted, options)
  const text = options.json ? planAsJson(planned.plan) : summary(planned, options).join('\n')
  process.stdout.write(`${text}\n`)
}

interface Planned {
  readonly plan: Plan
  readonly feature: Feature
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

function change(root: string, wanted: Feature, options: FeatureOptions): Promise<Planned> {
  return withProjectLock(root, async () => {
    await recoverProject(root)
    const planned = await makePlan(root, wanted, options)
    applyPlan(planned.plan)
    return planned
  })
}

async function preview(root: string, wanted: Feature, options: FeatureOptions): Promise<Planned> {
  refuseUnfinishedRun(nodeDisk, root)
  const planned = await makePlan(root, wanted, options)
  checkPlan(nodeDisk, planned.plan)
  return planned
}

async function makePlan(root: string, wanted: Feature, options: FeatureOptions): Promise<Planned> {
  const project = openProject(root)
  const projectFile = project.readFile(projectPath)
  if (projectFile === undefined) throw new StrataError('not-in-project', 'strata.json is gone')
  const said = readModel(projectFile)
  parseStoreKind(said.database, availableKinds)
  const before = writtenModel(project, said, wanted)
  const after = withFeature(before, withChoicesOf(said, wanted, options))
  const feature = featureIn(after, wanted)
  const plan = await planFeature({
    ...project,
    root,
    before,
    projectFile,
    after,
    feature,
    resolve: {
      keep: options.keep ?? false,
      theirs: options.theirs ?? [],
      allowDestructive: options.allowDestructive ?? false,
    },
  })
  return { plan, feature }
}

/** As the model has it: an owner, for one, protects it. */
function featureIn({ features }: Model, wanted: Feature): Feature {
  return features.find(({ entity }) => entity.pascal === wanted.entity.pascal) ?? wanted
}

/** What was chosen once and is not said again stays. */
function withChoicesOf({ features }: Model, wanted: Feature, options: FeatureOptions): Feature {
  const existing = features.find(({ entity }) => entity.pascal === wanted.entity.pascal)
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

function summary({ plan, feature: { entity } }: Planned, { dryRun }: FeatureOptions): string[] {
  if (changesNothing(plan)) return [`nothing to do: ${entity.pascal} is as you say`]
  const heading = dryRun ? `would write ${entity.pascal}` : `wrote ${entity.pascal}`
  return [heading, ...planAsLines(plan), '', `GET /api/v1/${entity.plural.kebab}`]
}
