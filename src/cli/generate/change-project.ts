import { posix } from 'node:path'
import { StrataError } from '../../generator/errors.ts'
import type { Feature, Model } from '../../generator/model/model.ts'
import { projectPath } from '../../generator/plan/base.ts'
import type { Plan } from '../../generator/plan/plan.ts'
import { planChange } from '../../generator/plan/plan-change.ts'
import type { RenameChange } from '../../generator/plan/rename-change.ts'
import type { Retained } from '../../generator/plan/retained.ts'
import { parseStoreKind } from '../../generator/spec/parse-store-kind.ts'
import { readModel } from '../../generator/spec/project-file.ts'
import { availableKinds, storeOf } from '../../generator/stores/stores.ts'
import { applyPlan, refuseUnfinishedRun } from '../../generator/write/apply-plan.ts'
import { checkPlan } from '../../generator/write/check-plan.ts'
import { nodeDisk } from '../../generator/write/disk.ts'
import { withProjectLock } from '../../generator/write/project-lock.ts'
import { recoverProject } from '../../generator/write/recover-project.ts'
import type { AskPlace } from './ask-places.ts'
import { databaseLines } from './inspect/database-lines.ts'
import type { DatabaseReport } from './inspect/inspect-database.ts'
import { newSecrets } from './new-secrets.ts'
import { findProject, openProject, type Project } from './project.ts'
import { changesNothing, planAsJson, planAsLines, secondStepLines } from './show-plan.ts'

export interface ChangeOptions {
  dryRun?: boolean
  /** With a dry run: asks the configured database what the change would lose. */
  database?: boolean
  json?: boolean
  keep?: boolean
  theirs?: string[]
  allowDestructive?: boolean
  inTwoSteps?: boolean
}

/** A change of the model. `requested` lists features of `after` to render again even if unchanged. */
export interface ModelChange {
  readonly before: Model
  readonly after: Model
  readonly requested: readonly Feature[]
  /** True to emit every file of the project. */
  readonly isWhole?: boolean
  /** True if the models differ in names alone, and match by position. */
  readonly isRename?: boolean
  /** Changes the list of tables and columns that stay in the database although the model does not have them. */
  readonly retain?: (retained: Retained) => Retained
  /** The model that the migrations create, if it is not `before`. */
  readonly migrated?: Model
  /** Returns the text and the base of a file on another branch, which is merged too. */
  readonly other?: (path: string) => { base: string | undefined; disk: string } | undefined
  /** Replaces the value of `--allow-destructive`. */
  readonly allowDestructive?: boolean
  /** A sentence to print before anything is written. */
  readonly notice?: string | undefined
  /** The subject of a sentence about dropped rows: `remove`. */
  readonly subject?: string
  /** Completes the plan. */
  readonly completePlan?: (plan: Plan) => Plan | Promise<Plan>
}

export interface ChangeResult extends ModelChange {
  readonly root: string
  readonly plan: Plan
  /** The answers of the stored records, if the command asked for them. */
  readonly database?: DatabaseReport
}

/**
 * Changes the project around the working directory from one model to another, atomically. `decide` receives the model that
 * `strata.json` declares. `open` opens the project for the plan. Throws StrataError.
 */
export function changeProject(
  options: ChangeOptions,
  decide: (project: Project, declared: Model) => ModelChange,
  open: (root: string) => Project = openProject,
): Promise<ChangeResult> {
  const root = findProject(process.cwd())
  if (options.dryRun) return preview(root, options, decide, open)
  return withProjectLock(root, async () => {
    await recoverProject(root)
    const changed = await decideAndPlan(root, options, decide, open)
    printNotice(changed, options)
    applyPlan(changed.plan)
    return changed
  })
}

/** Prints the plan as JSON or as text. The verb for `heading` is `wrote`, or `would write` with `--dry-run`. */
export function printChange(
  { plan, database }: ChangeResult,
  { json, dryRun, allowDestructive }: ChangeOptions,
  texts: { nothing: string; heading: (verb: string) => string; after?: readonly string[] },
): void {
  const lines = json
    ? [planAsJson(plan, database)]
    : changesNothing(plan)
      ? [`nothing to do: ${texts.nothing}`]
      : [
          texts.heading(dryRun ? 'would write' : 'wrote'),
          ...planAsLines(plan),
          ...(texts.after ?? []),
        ]
  if (!json) {
    lines.push(...secondStepLines(plan))
    if (database) lines.push(...databaseLines(database, plan, allowDestructive === true))
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

let askPlace: AskPlace | undefined

/** Makes the next change ask about its conflicts: `strata resolve` runs another command. */
export function askWith(ask: AskPlace): void {
  askPlace = ask
}

type Decide = Parameters<typeof changeProject>[1]

async function preview(
  root: string,
  options: ChangeOptions,
  decide: Decide,
  open: (root: string) => Project,
): Promise<ChangeResult> {
  refuseUnfinishedRun(nodeDisk, root)
  const changed = await decideAndPlan(root, options, decide, open)
  checkPlan(nodeDisk, changed.plan)
  printNotice(changed, options)
  return changed
}

/** With `--json`, stdout contains nothing but the plan. */
function printNotice({ notice }: ModelChange, { json }: ChangeOptions): void {
  const output = json ? process.stderr : process.stdout
  if (notice !== undefined) output.write(`${notice}\n`)
}

async function decideAndPlan(
  root: string,
  options: ChangeOptions,
  decide: Decide,
  open: (root: string) => Project,
): Promise<ChangeResult> {
  const project = open(root)
  const projectFile = project.readFile(projectPath)
  if (projectFile === undefined)
    throw new StrataError('not-in-project', 'strata.json was deleted during the run')
  const declared = readModel(projectFile)
  parseStoreKind(declared.database, availableKinds)
  const change = options.inTwoSteps
    ? await splitChange(decide(project, declared))
    : decide(project, declared)
  const request = {
    ...project,
    ...change,
    root,
    projectFile,
    secrets: newSecrets(),
    resolve: {
      ...(askPlace && { decide: askPlace }),
      keep: options.keep ?? false,
      theirs: (options.theirs ?? []).map((path) => posix.normalize(path)),
      // A dry run that asks the database shows the losses, and writes nothing.
      allowDestructive:
        change.allowDestructive ?? options.allowDestructive ?? options.database === true,
    },
  }
  const plan = await (change.isRename ? planNames(request) : planChange(request))
  if (options.inTwoSteps) refuseOverlapFaults(plan)
  const changed = { ...change, root, plan: (await change.completePlan?.(plan)) ?? plan }
  if (!options.dryRun || !options.database) return changed
  const { inspectDatabase } = await import('./inspect/inspect-database.ts')
  const { before: from, after } = change
  const models = { after, ...(plan.stored ?? { from, database: after }) }
  const { isRename = false, subject = 'the change' } = change
  return { ...changed, database: await inspectDatabase({ root, models, isRename, subject }) }
}

async function planNames(request: RenameChange): Promise<Plan> {
  const { planRename } = await import('../../generator/plan/plan-rename.ts')
  return planRename(request)
}

async function splitChange(change: ModelChange): Promise<ModelChange> {
  if (storeOf(change.after).losses !== undefined) {
    throw new StrataError(
      'usage',
      `--in-two-steps needs columns, and ${change.after.database} stores documents: make the new field optional or give it a default, then change it with a second command`,
    )
  }
  const { firstStep } = await import('../../generator/plan/two-steps.ts')
  const { model, retain } = firstStep(change.before, change.after)
  return { ...change, after: model, retain }
}

function refuseOverlapFaults({ overlapFaults = [] }: Plan): void {
  if (overlapFaults.length === 0) return
  throw new StrataError(
    'conflict',
    'this change has no first step that both versions survive, so nothing was changed: add a field of another name, and drop the old one later',
    { details: overlapFaults },
  )
}
