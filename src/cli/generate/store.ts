import type { Model } from '../../generator/model/model.ts'
import { ormKinds, type StoreKind } from '../../generator/model/store-kinds.ts'
import { parseOrm } from '../../generator/spec/parse-orm.ts'
import { parseStoreKind } from '../../generator/spec/parse-store-kind.ts'
import { availableKinds, storeOf } from '../../generator/stores/stores.ts'
import { type ChangeOptions, changeProject, printChange } from './change-project.ts'
import { changesNothing } from './show-plan.ts'
import { requireWrittenModel } from './written-model.ts'

export interface StoreOptions extends ChangeOptions {
  install: boolean
  orm?: string
}

/** `strata store`: moves the project around the working directory to another kind of store. Does not copy any data. */
export async function store(kind: string, options: StoreOptions): Promise<void> {
  const database = parseStoreKind(kind, availableKinds)
  const changed = await changeProject(options, (project, declared) => {
    const before = requireWrittenModel(project, declared, [])
    return { before, after: movedTo(before, database, options.orm), requested: [] }
  })
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

/** Returns the model of another kind. Keeps the query library, unless the kind has none. */
function movedTo({ orm: previous, ...model }: Model, database: StoreKind, given?: string): Model {
  const isRelational = ormKinds.prisma.includes(database)
  const orm = parseOrm(given ?? (isRelational ? previous : undefined), database)
  return { ...model, database, ...(orm && { orm }) }
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
