import type { Model } from '../../generator/model/model.ts'
import { type ChangeOptions, changeProject, printChange } from './change-project.ts'
import { nextSteps } from './store.ts'
import { readWrittenModel } from './written-model.ts'

/** `strata sync`: applies the manual changes of `strata.json` to the project. */
export async function sync(options: ChangeOptions): Promise<void> {
  const changed = await changeProject(options, (project, declared) => {
    const before = readWrittenModel(project, declared)
    return { before, after: inOrderOf(before, declared), requested: [] }
  })
  const { before, after } = changed
  printChange(changed, options, {
    nothing: 'the project matches strata.json',
    heading: (verb) => `${verb} the changes of strata.json`,
    after: before.database === after.database ? [] : nextSteps(before, after, { install: false }),
  })
}

/** Keeps the order of the features that exist: the keys of a JSON object have no order, so another order changes nothing. */
function inOrderOf({ features }: Model, declared: Model): Model {
  const rank = ({ entity }: Model['features'][number]) => {
    const at = features.findIndex((each) => each.entity.pascal === entity.pascal)
    return at === -1 ? features.length : at
  }
  return { ...declared, features: declared.features.toSorted((a, b) => rank(a) - rank(b)) }
}
