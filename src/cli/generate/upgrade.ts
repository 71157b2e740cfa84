import { changesSince, currentVersion, versionOf } from '../../generator/plan/emitted-version.ts'
import { type ChangeOptions, changeProject, printChange } from './change-project.ts'
import { installSteps } from './show-plan.ts'
import { requireWrittenModel } from './written-model.ts'

/** `strata upgrade`: brings the code of a project that an earlier strata emitted to the code of this one. */
export async function upgrade(options: ChangeOptions): Promise<void> {
  let version = currentVersion
  const changed = await changeProject(options, (project, declared) => {
    version = versionOf(project.readFile)
    const before = requireWrittenModel(project, declared, [])
    return { before, after: before, requested: [], isWhole: true }
  })
  const changes = changesSince(version)
  printChange(changed, options, {
    nothing: `the project has the code that this strata emits (version ${currentVersion})`,
    heading: (verb) => `${verb} the code of version ${currentVersion}, before: ${version}`,
    after:
      changes.length === 0
        ? []
        : [
            '',
            'What changed in the emitted code, and why:',
            ...changes.map((each) => `  - ${each}`),
            ...installSteps(changed.plan),
          ],
  })
}
