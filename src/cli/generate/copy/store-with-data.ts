import { isDeepStrictEqual } from 'node:util'
import { StrataError } from '../../../generator/errors.ts'
import type { Model } from '../../../generator/model/model.ts'
import type { StoreKind } from '../../../generator/model/store-kinds.ts'
import { withProjectLock } from '../../../generator/write/project-lock.ts'
import { recoverProject } from '../../../generator/write/recover-project.ts'
import { changeProject, printChange } from '../change-project.ts'
import { moveTo, type StoreOptions } from '../move-to-store.ts'
import { findProject, type Project } from '../project.ts'
import { npmInstall } from '../set-up.ts'
import { changesNothing } from '../show-plan.ts'
import { type CopyResult, copyData, refuseUncopied } from './copy-data.ts'
import { chosenUrl, withDatabaseUrl } from './database-url.ts'
import { removeCopyFolder } from './state-file.ts'

/**
 * `strata store --copy`: copies the data while the project is still on the old store, and moves the project once both
 * stores are equal. Throws StrataError; the project is then unchanged.
 */
export async function storeWithData(database: StoreKind, options: StoreOptions): Promise<void> {
  const root = findProject(process.cwd())
  refuseUncopied([database])
  const url = chosenUrl(database, options.to)
  const decide = (project: Project, declared: Model) => ({
    ...moveTo(database, options)(project, declared),
    // The new store is empty, and the old one keeps its rows.
    allowDestructive: true,
    completePlan: (plan: Parameters<typeof withDatabaseUrl>[0]) =>
      changesNothing(plan) || options.to === undefined
        ? plan
        : withDatabaseUrl(plan, url, project.readFile('.env')),
  })
  // An unfinished run is completed now: a plan is made for the project as it is.
  if (!options.dryRun) await withProjectLock(root, () => recoverProject(root))
  const planned = await changeProject({ ...options, dryRun: true }, decide)
  refuseUncopied([planned.before.database])
  const isDone = changesNothing(planned.plan) || options.dryRun
  const copied = isDone
    ? undefined
    : await withProjectLock(root, () => copyData({ ...planned, url, install: options.install }))
  const changed = copied
    ? await changeProject(options, (project, declared) => {
        const change = decide(project, declared)
        assertUnchanged(planned.before, change.before)
        return change
      })
    : planned
  if (copied) removeCopyFolder(root)
  printChange(changed, options, {
    nothing: `the store is already ${database}`,
    heading: (verb) => `${verb} the project for ${database}`,
    after: copied
      ? summary(copied, planned.before.database, options)
      : [`and would copy the data of ${planned.before.database} first`],
  })
  if (copied && options.install) await npmInstall(root)
}

/** The copy has the records of the model at its start. */
function assertUnchanged(copied: Model, found: Model): void {
  if (isDeepStrictEqual(copied, found)) return
  throw new StrataError('conflict', 'the model was changed during the copy: run the command again')
}

function summary(
  { counts, foreign }: CopyResult,
  before: StoreKind,
  { install }: StoreOptions,
): string[] {
  const numbers = [...counts].map(([name, count]) => `${name} ${count}`)
  return [
    '',
    `Copied and compared: ${numbers.join(', ')}.`,
    `The data also stays in ${before}, unchanged. Uploaded files stay in their folder.`,
    ...(foreign.length > 0
      ? [`Not copied, as the model does not have them: ${foreign.join(', ')}.`]
      : []),
    ...(process.env.DATABASE_URL === undefined
      ? []
      : ['DATABASE_URL of your environment still names the old store: change it.']),
    'Next:',
    ...(install ? [] : ['  npm install']),
    '  npm start',
  ]
}
