import { relative, resolve } from 'node:path'
import { createModel } from '../../generator/model/build.ts'
import type { Model } from '../../generator/model/model.ts'
import { planProject } from '../../generator/plan/plan-project.ts'
import { parseOrm } from '../../generator/spec/parse-orm.ts'
import { parseStoreKind } from '../../generator/spec/parse-store-kind.ts'
import { parseModuleName, parseProjectName } from '../../generator/spec/project-name.ts'
import { availableKinds } from '../../generator/stores/stores.ts'
import { checkTarget, createProject } from '../../generator/write/create-project.ts'
import { nodeDisk } from '../../generator/write/disk.ts'
import { newSecrets } from './new-secrets.ts'
import { planAsJson, planAsLines } from './show-plan.ts'

export interface InitOptions {
  module?: string
  database: string
  orm?: string
  auth?: boolean
  install: boolean
  git: boolean
  dryRun?: boolean
  json?: boolean
}

/** `strata init`: writes a project into a new folder, then runs git init and npm install. */
export async function init(projectName: string, options: InitOptions): Promise<void> {
  const model = parseInit(projectName, options)
  const root = resolve(model.name)
  const plan = await planProject(root, model, newSecrets())
  if (options.dryRun) checkTarget(nodeDisk, root)
  else createProject(root, plan)

  if (options.json) process.stdout.write(`${planAsJson(plan)}\n`)
  else
    print(
      options.dryRun ? `would create ${model.name}/` : `created ${model.name}/`,
      ...planAsLines(plan),
    )
  if (options.dryRun) return

  if (options.git || options.install) {
    const { gitInit, npmInstall } = await import('./set-up.ts')
    if (options.git) await gitInit(root)
    if (options.install) await npmInstall(root)
  }
  if (!options.json) print('', ...nextSteps(model, relative('.', root), options.install))
}

function parseInit(projectName: string, options: InitOptions): Model {
  const name = parseProjectName(projectName)
  const database = parseStoreKind(options.database, availableKinds)
  const orm = parseOrm(options.orm, database)
  return createModel({
    name,
    module: parseModuleName(options.module ?? name),
    database,
    ...(orm && { orm }),
    auth: options.auth ?? false,
  })
}

function nextSteps({ database, auth }: Model, folder: string, installed: boolean): string[] {
  return [
    'Next:',
    `  cd ${folder}`,
    ...(installed ? [] : ['  npm install']),
    `  strata feature Post title:string body:text${auth ? " 'author_id:uint:fk(User)' --owner author_id" : ''}`,
    ...(database === 'sqlite'
      ? []
      : [`  docker compose up -d ${database}   # or set DATABASE_URL in .env`]),
    '  npm start',
  ]
}

function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
