import { createHash } from 'node:crypto'
import { type CopiedCollection, collectionsOf } from '../../../generator/copy/collections.ts'
import { copiedKinds } from '../../../generator/copy/copied-kinds.ts'
import { copyRecords } from '../../../generator/copy/copy-records.ts'
import type { CopyProgress } from '../../../generator/copy/copy-store.ts'
import { StrataError } from '../../../generator/errors.ts'
import type { Model } from '../../../generator/model/model.ts'
import type { StoreKind } from '../../../generator/model/store-kinds.ts'
import type { Plan } from '../../../generator/plan/plan.ts'
import { storeOf } from '../../../generator/stores/stores.ts'
import { npmInstall, npmRun } from '../set-up.ts'
import { absoluteUrl, configuredUrl, refuseExistingFile } from './database-url.ts'
import { writeNextProject } from './next-project.ts'
import { type CopyIdentity, readState, writeState } from './state-file.ts'
import type { WorkerSettings } from './worker/messages.ts'
import { openStoreProcess, type StoreProcess } from './worker-process.ts'

export interface DataCopy {
  /** The plan of the move. Its code opens the new store. */
  readonly plan: Plan
  readonly before: Model
  readonly after: Model
  /** The URL of the new store, as in `.env`. */
  readonly url: string
  readonly install: boolean
}

/** The number of records by collection, and the tables and columns that were left behind. */
export interface CopyResult {
  readonly counts: ReadonlyMap<string, number>
  readonly foreign: readonly string[]
}

/**
 * Copies all records of the configured store to the new store, and compares both. The project stays on the old store.
 * Continues an interrupted copy. Throws StrataError.
 */
export async function copyData({
  plan,
  before,
  after,
  url,
  install,
}: DataCopy): Promise<CopyResult> {
  refuseUncopied([before.database, after.database])
  const { root } = plan
  const source = absoluteUrl(root, before.database, configuredUrl(root, before.database))
  const target = absoluteUrl(root, after.database, url)
  if (source === target) throw new StrataError('usage', '--to names the old store: choose another')
  const collections = collectionsOf(after)
  const identity = identityOf(before, after, { source, target, collections })
  const started = readState(root, identity)
  if (!started) refuseExistingFile(root, after.database, url)
  const next = await prepareNext(plan, after, install)
  await generateCode(root, before)
  const openSource = () =>
    openStoreProcess('the old store', settingsOf(root, before, source, collections))
  const openTarget = () =>
    openStoreProcess('the new store', settingsOf(next, after, target, collections))
  // The file of a new SQLite store exists from now on, so the next run may not refuse it.
  if (!started) writeState(root, identity, { done: null })
  try {
    return await withStore(openSource, (reader) =>
      withStore(openTarget, async (writer) => {
        const counts = await copyRecords({
          collections,
          source: reader,
          target: writer,
          kind: after.database,
          state: started?.state,
          saveState: (progress) => writeState(root, identity, progress),
          report,
        })
        return { counts, foreign: await reader.foreign() }
      }),
    )
  } catch (error) {
    throw withAdvice(error, before.database)
  }
}

async function withStore<Result>(
  open: () => Promise<StoreProcess>,
  use: (store: StoreProcess) => Promise<Result>,
): Promise<Result> {
  const store = await open()
  try {
    const result = await use(store)
    await store.close()
    return result
  } finally {
    store.stop()
  }
}

function withAdvice(error: unknown, kind: StoreKind): unknown {
  if (!(error instanceof StrataError) || error.kind !== 'failure') return error
  const details = [
    ...error.details,
    `The project stays on ${kind}, and the old store is unchanged. Run the same command again to continue.`,
    'To give the copy up, delete .strata/copy and the new store.',
  ]
  return new StrataError(error.kind, error.message, { details, cause: error })
}

/** Throws StrataError 'usage' if a copy does not support one of the kinds. */
export function refuseUncopied(kinds: readonly StoreKind[]): void {
  const kind = kinds.find((each) => !copiedKinds.includes(each))
  if (kind === undefined) return
  throw new StrataError(
    'usage',
    `--copy does not support ${kind}: no test has copied to or from it; move without --copy, and copy the data yourself`,
  )
}

async function prepareNext(plan: Plan, model: Model, install: boolean): Promise<string> {
  const next = writeNextProject(plan)
  if (install) await npmInstall(next, (reason) => `the project is unchanged: ${reason}`)
  await generateCode(next, model)
  return next
}

async function generateCode(root: string, model: Model): Promise<void> {
  if (storeOf(model).generate !== '') await npmRun(root, 'generate')
}

function settingsOf(
  root: string,
  { database, orm }: Model,
  databaseUrl: string,
  collections: readonly CopiedCollection[],
): WorkerSettings {
  return { root, kind: database, orm, databaseUrl, collections }
}

function identityOf(
  before: Model,
  after: Model,
  {
    source,
    target,
    collections,
  }: { source: string; target: string; collections: readonly CopiedCollection[] },
): CopyIdentity {
  return {
    from: before.database,
    to: after.database,
    source: sha256(source),
    target: sha256(target),
    model: sha256(JSON.stringify(collections)),
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Prints a line for each 5,000 records, and at the end of each collection. */
function report({ step, collection, count, isComplete }: CopyProgress): void {
  if (isComplete) process.stderr.write(`${step} ${count} records of ${collection}\n`)
  else if (count % 5_000 === 0)
    process.stderr.write(`${step} ${count} records of ${collection} …\n`)
}
