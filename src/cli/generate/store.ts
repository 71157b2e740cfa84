import type { StoreKind } from '../../generator/model/store-kinds.ts'
import { parseStoreKind } from '../../generator/spec/parse-store-kind.ts'
import { availableKinds, storeOf } from '../../generator/stores/stores.ts'
import { type ChangeOptions, changeProject, printChange } from './change-project.ts'
import { changesNothing } from './show-plan.ts'
import { requireWrittenModel } from './written-model.ts'

export interface StoreOptions extends ChangeOptions {
  install: boolean
}

/** `strata store`: moves the project around the working directory to another kind of store. Does not copy any data. */
export async function store(kind: string, options: StoreOptions): Promise<void> {
  const database = parseStoreKind(kind, availableKinds)
  const changed = await changeProject(options, (project, declared) => {
    const before = requireWrittenModel(project, declared, [])
    return { before, after: { ...before, database }, requested: [] }
  })
  const { root, plan, before } = changed
  printChange(changed, options, {
    nothing: `the store is already ${database}`,
    heading: (verb) => `${verb} the project for ${database}`,
    after: nextSteps(before.database, database, options),
  })
  if (changesNothing(plan) || options.dryRun || !options.install) return
  const { npmInstall } = await import('./set-up.ts')
  await npmInstall(root)
}

function nextSteps(before: StoreKind, after: StoreKind, { install }: StoreOptions): string[] {
  const { serverCommand } = storeOf(after)
  return [
    '',
    `The new store is empty: the data stays in ${before}.`,
    'Next:',
    ...(install ? [] : ['  npm install']),
    ...(serverCommand === '' ? [] : [`  ${serverCommand}   # or set DATABASE_URL in .env`]),
    '  npm start',
  ]
}
