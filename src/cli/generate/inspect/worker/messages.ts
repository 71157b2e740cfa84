import * as z from 'zod'
import type { Question } from '../../../../generator/inspect/question.ts'
import type { StoreKind } from '../../../../generator/model/store-kinds.ts'

/** The only message to the process that reads a store. */
export interface Inspection {
  /** The folder of the project whose drivers read the store. */
  readonly root: string
  readonly kind: StoreKind
  readonly databaseUrl: string
  /** Names of the migrations on the disk, for kinds with tables. */
  readonly migrations: readonly string[]
  /** The fields of each collection, for kinds without tables. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly questions: readonly Question[]
  /** The time for all answers, in milliseconds. */
  readonly limitMs: number
}

/** `waiting`: changes that the app has not applied yet. `empty`: the app has not started on this store yet. */
export const inspectionReply = z.union([
  z.object({
    kind: z.literal('answers'),
    answers: z.array(
      z.object({
        total: z.int().nonnegative(),
        count: z.int().nonnegative(),
        isComplete: z.boolean(),
      }),
    ),
  }),
  z.object({ kind: z.literal('waiting'), names: z.array(z.string()) }),
  z.object({ kind: z.literal('empty') }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
])

export type InspectionReply = z.infer<typeof inspectionReply>
