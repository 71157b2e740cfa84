import * as z from 'zod'
import type { CopiedCollection } from '../../../../generator/copy/collections.ts'
import type { CopiedRecord } from '../../../../generator/copy/copied-record.ts'
import type { StoreKind } from '../../../../generator/model/store-kinds.ts'

/** The first argument of the process that reads or writes a store. */
export interface WorkerSettings {
  /** The folder of the project whose code opens the store. */
  readonly root: string
  readonly kind: StoreKind
  /** The query library of a relational kind. */
  readonly orm: 'kysely' | undefined
  readonly databaseUrl: string
  readonly collections: readonly CopiedCollection[]
}

/** A call of a function of `CopyStore`, or of `foreign`. */
export interface WorkerCall {
  readonly id: number
  readonly name: string
  readonly args: readonly unknown[]
}

const record: z.ZodType<CopiedRecord> = z.looseObject({ id: z.int().positive() })

/** The results of the calls. */
export const results = {
  open: z.null(),
  close: z.null(),
  read: z.array(record),
  write: z.null(),
  remove: z.null(),
  lastId: z.int().nonnegative(),
  raiseLastId: z.null(),
  foreign: z.array(z.string()),
}

export type WorkerFunction = keyof typeof results

export const workerReply = z.union([
  z.object({ id: z.int(), result: z.unknown() }),
  z.object({ id: z.int(), error: z.string() }),
])
