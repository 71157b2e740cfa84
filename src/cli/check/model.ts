import type { Model } from '../../generator/model/model.ts'
import { storeOf } from '../../generator/stores/stores.ts'
import { namesFeature } from '../../generator/wire/names-feature.ts'
import { wireFeature, wiringPaths } from '../../generator/wire/wire.ts'
import type { Project } from '../generate/project.ts'
import { differences, readWrittenModel } from '../generate/written-model.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { schemaDrift, schemaPath } from './schema-drift.ts'

/** Checks that the project matches `strata.json`, and that its wiring files name every feature. */
export function checkModel(project: Project, declared: Model): Outcome {
  const changed = differences(readWrittenModel(project, declared), declared)
  if (changed.length > 0) {
    return outcomeOf([
      `strata.json has changes that are not applied (${changed.join(', ')}): apply them with strata sync`,
    ])
  }
  return outcomeOf([
    ...wiringPaths.flatMap((path) => missingIn(project, declared, path)),
    ...schemaDrift(declared, project.readFile(schemaPath)),
  ])
}

function missingIn({ readFile }: Project, model: Model, path: string): string[] {
  const { features } = model
  const text = readFile(path)
  if (features.length === 0) return []
  if (text === undefined) return path === 'client/index.ts' ? [] : [`${path} is missing`]
  const { adapter } = storeOf(model)
  return features
    .filter(
      (feature) =>
        !namesFeature(path, text, feature, adapter) &&
        wireFeature({ path, text, feature, adapter }).kind !== 'unchanged',
    )
    .map(({ entity }) => `${path} does not name ${entity.pascal}`)
}
