import { isDeepStrictEqual } from 'node:util'
import { StrataError } from '../../generator/errors.ts'
import type { Model } from '../../generator/model/model.ts'
import { renameInModel } from '../../generator/model/rename.ts'
import { readRetained } from '../../generator/plan/retained.ts'
import { secondStep, withoutSecondSteps } from '../../generator/plan/two-steps.ts'
import { type ChangeOptions, changeProject, printChange } from './change-project.ts'
import { nextSteps } from './store.ts'
import { readWrittenModel, requireWrittenModel } from './written-model.ts'

export interface SyncOptions extends ChangeOptions {
  secondStep?: boolean
}

/** `strata sync`: applies the manual changes of `strata.json` to the project, or completes earlier changes. */
export async function sync(options: SyncOptions): Promise<void> {
  if (options.secondStep) return completeChanges(options)
  const changed = await changeProject(options, (project, declared) => {
    const before = readWrittenModel(project, declared)
    const after = inOrderOf(before, declared)
    return { before, after, requested: [], isRename: changesPluralsAlone(before, after) }
  })
  const { before, after } = changed
  printChange(changed, options, {
    nothing: 'the project matches strata.json',
    heading: (verb) => `${verb} the changes of strata.json`,
    after: before.database === after.database ? [] : nextSteps(before, after, { install: false }),
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
