import type { Model } from '../../generator/model/model.ts'
import { storeOf } from '../../generator/stores/stores.ts'
import { wireFeature, wiringPaths } from '../../generator/wire/wire.ts'
import type { Project } from '../project.ts'
import { differences, modelBefore } from '../written-model.ts'
import { failedBy, type Outcome } from './outcome.ts'

/** Whether the project was written as `strata.json` says, and its wiring still names every feature. */
export function checkModel(project: Project, said: Model): Outcome {
  const changed = differences(modelBefore(project, said), said)
  if (changed.length > 0) {
    return failedBy([
      `strata.json says otherwise of ${changed.join(', ')}: write it with strata sync`,
    ])
  }
  return failedBy(wiringPaths.flatMap((path) => missingIn(project, said, path)))
}

function missingIn({ readFile }: Project, { database, features }: Model, path: string): string[] {
  const text = readFile(path)
  if (features.length === 0) return []
  if (text === undefined) return path === 'client/index.ts' ? [] : [`${path} is gone`]
  const { adapter } = storeOf(database)
  return features
    .filter((feature) => wireFeature({ path, text, feature, adapter }).kind !== 'unchanged')
    .map(({ entity }) => `${path} does not name ${entity.pascal}`)
}
