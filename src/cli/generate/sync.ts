import { isDeepStrictEqual } from 'node:util'
import { StrataError } from '../../generator/errors.ts'
import type { Model } from '../../generator/model/model.ts'
import { renameInModel } from '../../generator/model/rename.ts'
import { readRetained } from '../../generator/plan/retained.ts'
import { secondStep, withoutSecondSteps } from '../../generator/plan/two-steps.ts'
import { type ChangeOptions, changeProject, printChange } from './change-project.ts'
import { findBranches } from './git-branches.ts'
import { type MergedProject, openMerged } from './merge-branches.ts'
import { openProject } from './project.ts'
import { installSteps } from './show-plan.ts'
import { nextSteps } from './store.ts'
import { readWrittenModel, requireWrittenModel } from './written-model.ts'

export interface SyncOptions extends ChangeOptions {
  secondStep?: boolean
}

/**
 * `strata sync`: applies the manual changes of `strata.json` to the project, or completes earlier changes. While git merges two
 * branches, it also merges emitted files with conflicts, and mends what the branches' migrations do to each other.
 */
export async function sync(options: SyncOptions): Promise<void> {
  if (options.secondStep) return completeChanges(options)
  let merged: MergedProject | undefined
  const open = (root: string) => {
    const branches = findBranches(root)
    const project = openProject(root)
    merged = branches && openMerged(project, branches)
    return merged?.project ?? project
  }
  const changed = await changeProject(
    options,
    (project, declared) => {
      const branch = merged
      const before = readWrittenModel(project, declared)
      if (branch === undefined) {
        const after = inOrderOf(before, declared)
        return { before, after, requested: [], isRename: changesPluralsAlone(before, after) }
      }
      return {
        before,
        after: declared,
        requested: [],
        isWhole: true,
        migrated: branch.written,
        other: branch.other,
        completePlan: (plan) => branch.complete(plan, declared),
      }
    },
    open,
  )
  const { before, after } = changed
  const steps =
    before.database === after.database
      ? installSteps(changed.plan)
      : nextSteps(before, after, { install: false })
  printChange(changed, options, {
    nothing: 'the project matches strata.json',
    heading: (verb) =>
      merged === undefined
        ? `${verb} the changes of strata.json`
        : `${verb} the changes of both branches`,
    after: merged === undefined ? steps : ['', 'Next:', '  npm test', '  git add -A && git commit'],
  })
}

/** Returns true if the models differ in plurals alone, which renames tables with their rows. */
function changesPluralsAlone(before: Model, after: Model): boolean {
  const renamed = after.features.filter(({ entity }) =>
    before.features.some(
      (old) =>
        old.entity.pascal === entity.pascal && old.entity.plural.snake !== entity.plural.snake,
    ),
  )
  if (renamed.length === 0) return false
  const expected = renamed.reduce(
    (model, { entity }) =>
      renameInModel(model, { kind: 'entity', from: entity.pascal, to: entity }),
    before,
  )
  return isDeepStrictEqual(expected, after)
}

/** Keeps the order of the features that exist: the keys of a JSON object have no order, so another order changes nothing. */
function inOrderOf({ features }: Model, declared: Model): Model {
  const rank = ({ entity }: Model['features'][number]) => {
    const at = features.findIndex((each) => each.entity.pascal === entity.pascal)
    return at === -1 ? features.length : at
  }
  return { ...declared, features: declared.features.toSorted((a, b) => rank(a) - rank(b)) }
}

/** `strata sync --second-step`: drops retained columns, and makes the fields required that waited for it. */
async function completeChanges(options: SyncOptions): Promise<void> {
  if (options.inTwoSteps) {
    throw new StrataError('usage', 'pass --in-two-steps or --second-step, not both')
  }
  const changed = await changeProject(options, (project, declared) => {
    const before = requireWrittenModel(project, declared, [])
    const after = secondStep(before, readRetained(project.readFile))
    return { before, after, requested: [], retain: withoutSecondSteps }
  })
  printChange(changed, options, {
    nothing: 'no change waits for its second step',
    heading: (verb) => `${verb} the second step`,
  })
}
