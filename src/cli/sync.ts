import { type ChangeOptions, changeProject, printChange } from './change-project.ts'
import { modelBefore } from './written-model.ts'

/** `strata sync`: writes what a hand said in `strata.json`, several features in one go. */
export async function sync(options: ChangeOptions): Promise<void> {
  const changed = await changeProject(options, (project, said) => ({
    before: modelBefore(project, said),
    after: said,
    asked: [],
  }))
  printChange(changed, options, {
    nothing: 'the project is as strata.json says',
    heading: (verb) => `${verb} what strata.json says`,
  })
}
