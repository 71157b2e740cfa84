import { StrataError } from '../generator/errors.ts'
import type { Feature, Model } from '../generator/model/model.ts'
import { projectPath } from '../generator/plan/base.ts'
import type { Plan } from '../generator/plan/plan.ts'
import { planChange } from '../generator/plan/plan-change.ts'
import { readModel } from '../generator/spec/project-file.ts'
import { parseStoreKind } from '../generator/spec/store-kind.ts'
import { availableKinds } from '../generator/stores/stores.ts'
import { applyPlan, refuseUnfinishedRun } from '../generator/write/apply-plan.ts'
import { checkPlan } from '../generator/write/check-plan.ts'
import { nodeDisk } from '../generator/write/disk.ts'
import { withProjectLock } from '../generator/write/project-lock.ts'
import { recoverProject } from '../generator/write/recover-project.ts'
import { findProject, openProject, type Project } from './project.ts'
import { newSecrets } from './secrets.ts'
import { changesNothing, planAsJson, planAsLines } from './show-plan.ts'

export interface ChangeOptions {
  dryRun?: boolean
  json?: boolean
  keep?: boolean
  theirs?: string[]
  allowDestructive?: boolean
}

/** From which model to which; `asked` are features of `after` that are looked at although both say the same of them. */
export interface Decision {
  readonly before: Model
  readonly after: Model
  readonly asked: readonly Feature[]
  /** Whether stored data may be lost, whatever the options say. */
  readonly allowDestructive?: boolean
}

export interface Changed extends Decision {
  readonly root: string
  readonly plan: Plan
}

/**
 * Brings the project around the working directory from one model to another, all of it or nothing. `decide` gets what
 * `strata.json` says. Throws StrataError.
 */
export function changeProject(
  options: ChangeOptions,
  decide: (project: Project, said: Model) => Decision,
): Promise<Changed> {
  const root = findProject(process.cwd())
  if (options.dryRun) return preview(root, options, decide)
  return withProjectLock(root, async () => {
    await recoverProject(root)
    const changed = await decideAndPlan(root, options, decide)
    applyPlan(changed.plan)
    return changed
  })
}

/** Prints the plan: as JSON, or under what `headingOf` makes of the verb, `wrote` or `would write`. */
export function printChange(
  { plan }: Changed,
  { json, dryRun }: ChangeOptions,
  say: { nothing: string; heading: (verb: string) => string; after?: readonly string[] },
): void {
  const lines = json
    ? [planAsJson(plan)]
    : changesNothing(plan)
      ? [`nothing to do: ${say.nothing}`]
      : [say.heading(dryRun ? 'would write' : 'wrote'), ...planAsLines(plan), ...(say.after ?? [])]
  process.stdout.write(`${lines.join('\n')}\n`)
}

type Decide = Parameters<typeof changeProject>[1]

async function preview(root: string, options: ChangeOptions, decide: Decide): Promise<Changed> {
  refuseUnfinishedRun(nodeDisk, root)
  const changed = await decideAndPlan(root, options, decide)
  checkPlan(nodeDisk, changed.plan)
  return changed
}

async function decideAndPlan(
  root: string,
  options: ChangeOptions,
  decide: Decide,
): Promise<Changed> {
  const project = openProject(root)
  const projectFile = project.readFile(projectPath)
  if (projectFile === undefined) throw new StrataError('not-in-project', 'strata.json is gone')
  const said = readModel(projectFile)
  parseStoreKind(said.database, availableKinds)
  const decision = decide(project, said)
  const plan = await planChange({
    ...project,
    ...decision,
    root,
    projectFile,
    secrets: newSecrets(),
    resolve: {
      keep: options.keep ?? false,
      theirs: options.theirs ?? [],
      allowDestructive: decision.allowDestructive ?? options.allowDestructive ?? false,
    },
  })
  return { ...decision, root, plan }
}
