import { newDeployment } from '../merge/deploy-store.ts'
import type { Model } from '../model/model.ts'
import { renderProject } from '../render/render.ts'
import { printModel } from '../spec/project-file.ts'
import { storeOf } from '../stores/stores.ts'
import { byPath } from './actions.ts'
import { basePath, projectPath } from './base.ts'
import { writeVersion } from './emitted-version.ts'
import { newEnvFile, type Secrets } from './env-file.ts'
import type { Action, Plan } from './plan.ts'

/** Plans a new project at `root`. */
export async function planProject(root: string, model: Model, secrets: Secrets): Promise<Plan> {
  const files = [
    ...(await renderProject(model)),
    [projectPath, printModel(model, newDeployment(storeOf(model), model.auth))] as const,
  ]
  const actions = files.flatMap(([path, after]): Action[] => [
    { kind: 'create', path, after, reason: 'part of every project' },
    { kind: 'create', path: basePath(path), after, reason: 'base of later merges' },
  ])
  actions.push(
    ...(await firstMigration(model)),
    ...newEnvFile(model, secrets),
    ...writeVersion(() => undefined),
  )
  return { root, actions: actions.sort(byPath) }
}

/** Creates the migration of a project without features: the users of `--auth`. */
async function firstMigration(model: Model): Promise<readonly Action[]> {
  const empty: Model = { ...model, auth: false, features: [] }
  const migration = await storeOf(model).migration(empty, model, nothing)
  if (!migration) return []
  const { path, text } = migration
  return [{ kind: 'create', path, after: text, reason: 'migrates the store to the model' }]
}

const nothing = { listFolders: () => [], readFile: () => undefined }
