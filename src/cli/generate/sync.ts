import { type ChangeOptions, changeProject, printChange } from './change-project.ts'
import { readWrittenModel } from './written-model.ts'

/** `strata sync`: applies the manual changes of `strata.json` to the project. */
export async function sync(options: ChangeOptions): Promise<void> {
  const changed = await changeProject(options, (project, declared) => ({
    before: readWrittenModel(project, declared),
    after: declared,
    requested: [],
  }))
  printChange(changed, options, {
    nothing: 'the project matches strata.json',
    heading: (verb) => `${verb} the changes of strata.json`,
  })
}
