import { z } from 'zod'
import { StrataError } from '../errors.ts'
import type { Journal } from './journal.ts'

/**
 * Parses `.strata/journal.json`. Throws StrataError 'conflict' if the text is not a journal of this
 * version. A separate file, so that only recovery loads zod.
 */
export function readJournal(text: string): Journal {
  const parsed = journalSchema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new StrataError(
    'conflict',
    '.strata/journal.json, left by an interrupted run, cannot be read: ' +
      'delete it and .strata/staging, and compare the project with your last commit',
    { cause: parsed.error },
  )
}

const hash = z.string().regex(/^[0-9a-f]{64}$/)

const journalSchema = z.object({
  version: z.literal(1),
  steps: z.array(
    z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('move'),
        path: z.string(),
        staged: z.string().regex(/^\d+$/),
        before: hash.optional(),
        after: hash.optional(),
      }),
      z.object({ kind: z.literal('delete'), path: z.string(), before: hash }),
    ]),
  ),
})

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return error
  }
}
