import { isDeepStrictEqual } from 'node:util'
import { StrataError } from '../generator/errors.ts'
import type { Feature, Model } from '../generator/model/model.ts'
import { basePath, projectPath } from '../generator/plan/base.ts'
import { readModel } from '../generator/spec/project-file.ts'
import type { Project } from './project.ts'

/**
 * The model that the project was written from last, which its migrations stand at. `said` is what `strata.json`
 * says now: where a hand changed it in more than the entities `wanted`, that was never written, and can't be told apart from
 * what exists. Throws StrataError 'conflict' then.
 */
export function writtenModel(project: Project, said: Model, wanted: readonly string[]): Model {
  const written = modelBefore(project, said)
  refuseUnwritten(written, said, wanted)
  return written
}

/** The same, whatever `strata.json` says beyond it. */
export function modelBefore(project: Project, said: Model): Model {
  const kept = readKept(project)
  return kept === undefined ? said : adopt(kept, said, project)
}

function readKept({ readFile }: Project): Model | undefined {
  const path = basePath(projectPath)
  const text = readFile(path)
  try {
    return text === undefined ? undefined : readModel(text)
  } catch (cause) {
    throw new StrataError(
      'conflict',
      `${path} can not be read: make it a copy of ${projectPath}, if the project is written as that says`,
      { cause },
    )
  }
}

/** Features that strata wrote on another branch came with their bases. */
function adopt(written: Model, said: Model, { readFile }: Project): Model {
  const isWritten = ({ entity }: Feature) =>
    !written.features.some((other) => other.entity.pascal === entity.pascal) &&
    readFile(basePath(`src/domain/${entity.kebab}.ts`)) !== undefined
  return { ...written, features: [...written.features, ...said.features.filter(isWritten)] }
}

/** What was said in `strata.json` by hand and never written can't be told apart from what exists. */
function refuseUnwritten(written: Model, said: Model, wanted: readonly string[]): void {
  const details = differences(written, said).filter((name) => !wanted.includes(name))
  if (details.length === 0) return
  throw new StrataError(
    'conflict',
    `strata.json was changed by hand (${details.join(', ')}), and the project is not written so: write it with strata sync, or undo that`,
  )
}

export function differences(written: Model, said: Model): string[] {
  const settings = (['name', 'module', 'database'] as const).filter(
    (key) => written[key] !== said[key],
  )
  const names = new Set([...written.features, ...said.features].map(({ entity }) => entity.pascal))
  const find = ({ features }: Model, name: string) =>
    features.find(({ entity }) => entity.pascal === name)
  const changed = [...names].filter(
    (name) => !isDeepStrictEqual(find(written, name), find(said, name)),
  )
  return [...settings, ...changed]
}
