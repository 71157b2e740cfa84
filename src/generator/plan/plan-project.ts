import type { Model } from '../model/model.ts'
import { renderProject } from '../render/render.ts'
import { printModel } from '../spec/project-file.ts'
import { storeOf } from '../stores/stores.ts'
import { byPath } from './actions.ts'
import { basePath, projectPath } from './base.ts'
import type { Action, Plan } from './plan.ts'

/** A new project at `root`. `password` is random and goes into the untracked `.env` alone. */
export async function planProject(root: string, model: Model, password: string): Promise<Plan> {
  const files = [...(await renderProject(model)), [projectPath, printModel(model)] as const]
  const actions = files.flatMap(([path, after]): Action[] => [
    { kind: 'create', path, after, reason: 'part of every project' },
    { kind: 'create', path: basePath(path), after, reason: 'base of later merges' },
  ])
  const env = storeOf(model.database).env?.(password)
  if (env !== undefined) {
    const reason = 'settings that git does not track'
    actions.push({ kind: 'create', path: '.env', after: env, reason, secret: true })
  }
  return { root, actions: actions.sort(byPath) }
}
