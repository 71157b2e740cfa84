import { isDeepStrictEqual } from 'node:util'
import { StrataError } from '../../generator/errors.ts'
import type { Feature, Model } from '../../generator/model/model.ts'
import { basePath, projectPath } from '../../generator/plan/base.ts'
import { readStoredModel } from '../../generator/spec/project-file.ts'
import type { Project } from './project.ts'

/**
 * Returns the model that the project was last written from, which its migrations match. `declared` is the current model in
 * `strata.json`. Throws StrataError 'conflict' if a manual edit of `strata.json` changed more than the `requested` entities.
 */
export function requireWrittenModel(
  project: Project,
  declared: Model,
  requested: readonly string[],
): Model {
  const written = readWrittenModel(project, declared)
  refuseUnwritten(written, declared, requested)
  return written
}

/** Returns the same model as `requireWrittenModel`, but accepts any manual edit of `strata.json`. */
export function readWrittenModel(project: Project, declared: Model): Model {
  const base = readBase(project)
  return base === undefined ? declared : adoptFeatures(base, declared, project)
}

/** Reads the base text of `strata.json`, which each run stores. */
function readBase({ readFile }: Project): Model | undefined {
  const path = basePath(projectPath)
  const text = readFile(path)
  try {
    return text === undefined ? undefined : readStoredModel(text)
  } catch (cause) {
    throw new StrataError(
      'conflict',
      `${path} is invalid: if the project matches ${projectPath}, replace it with a copy of that file`,
      { cause },
    )
  }
}

/** Adds declared features that have a base text: strata wrote them on a git branch that was merged. */
function adoptFeatures(written: Model, declared: Model, { readFile }: Project): Model {
  const isWritten = ({ entity }: Feature) =>
    !written.features.some((other) => other.entity.pascal === entity.pascal) &&
    readFile(basePath(`src/domain/${entity.kebab}.ts`)) !== undefined
  return { ...written, features: [...written.features, ...declared.features.filter(isWritten)] }
}

function refuseUnwritten(written: Model, declared: Model, requested: readonly string[]): void {
  const details = differences(written, declared).filter((name) => !requested.includes(name))
  if (details.length === 0) return
  throw new StrataError(
    'conflict',
    `strata.json has manual changes (${details.join(', ')}) that are not applied: apply them with strata sync, or undo them`,
  )
}

/** Lists the settings and the entities that differ between two models. */
export function differences(written: Model, declared: Model): string[] {
  const settings = (['name', 'module', 'database', 'orm', 'auth'] as const).filter(
    (key) => written[key] !== declared[key],
  )
  const names = new Set(
    [...written.features, ...declared.features].map(({ entity }) => entity.pascal),
  )
  const find = ({ features }: Model, name: string) =>
    features.find(({ entity }) => entity.pascal === name)
  const changed = [...names].filter(
    (name) => !isDeepStrictEqual(find(written, name), find(declared, name)),
  )
  return [...settings, ...changed]
}
