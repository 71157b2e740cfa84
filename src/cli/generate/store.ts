import { StrataError } from '../../generator/errors.ts'
import type { Model } from '../../generator/model/model.ts'
import { parseStoreKind } from '../../generator/spec/parse-store-kind.ts'
import { availableKinds, storeOf } from '../../generator/stores/stores.ts'
import { changeProject, printChange } from './change-project.ts'
import { moveTo, type StoreOptions } from './move-to-store.ts'
import { changesNothing } from './show-plan.ts'

/** `strata store`: moves the project around the working directory to another kind of store, with `--copy` its data too. */
export async function store(kind: string, options: StoreOptions): Promise<void> {
  const database = parseStoreKind(kind, availableKinds)
  if (options.copy) {
    const { storeWithData } = await import('./copy/store-with-data.ts')
    return storeWithData(database, options)
  }
  if (options.to !== undefined)
    throw new StrataError('usage', '--to names the store for --copy: add --copy')
  const changed = await changeProject(options, moveTo(database, options))
  const { root, plan, before, after } = changed
  const library = after.orm ? ` with ${after.orm}` : ''
  printChange(changed, options, {
    nothing: `the store is already ${database}${library}`,
    heading: (verb) => `${verb} the project for ${database}${library}`,
    after: nextSteps(before, after, options),
  })
  if (changesNothing(plan) || options.dryRun || !options.install) return
  const { npmInstall } = await import('./set-up.ts')
  await npmInstall(root)
}

/** Returns the lines that tell where the data is, and the next commands. */
export function nextSteps(
  before: Model,
  after: Model,
  { install }: Pick<StoreOptions, 'install'>,
): string[] {
  const { serverCommand } = storeOf(after)
  const isMoved = before.database !== after.database
  return [
    '',
    isMoved
      ? `The new store is empty: the data stays in ${before.database}.`
      : 'The data stays as it is.',
    'Next:',
    ...(install ? [] : ['  npm install']),
    ...(serverCommand === '' || !isMoved
      ? []
      : [`  ${serverCommand}   # or set DATABASE_URL in .env`]),
    '  npm start',
  ]
}
