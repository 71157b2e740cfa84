import { stripVTControlCharacters } from 'node:util'
import { ResponseError } from '../../../../daemon/client/errors.ts'
import type { Session } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { exitCodeOf } from '../run/report-error.ts'

const tailLines = 30

/** Converts the error of a failed deploy to a ClientError with the end of the build log. Returns other errors unchanged. */
export async function explainFailure(
  { client }: Session,
  error: unknown,
  {
    branch,
    hasLive,
    notFoundHints,
  }: { branch: string; hasLive: boolean; notFoundHints: readonly string[] },
): Promise<unknown> {
  if (!(error instanceof ResponseError)) return error
  const exitCode = exitCodeOf(error.status)
  if (error.status === 404) return new ClientError(error.message, { exitCode, next: notFoundHints })
  if (error.status !== 422) return error
  const { environment_id: id } = error.body
  const note = hasLive ? '; the previous version keeps running' : ''
  const message = `the deploy of ${branch} failed: ${error.message}${note}`
  if (typeof id !== 'number') return new ClientError(message, { exitCode })
  return new ClientError(message, {
    exitCode,
    details: await readLogTail(client, id),
    next: [
      `strata logs ${id} --lines 1000   shows the full output of the build and the app`,
      'fix the cause, commit, then run strata up',
    ],
  })
}

async function readLogTail(client: Session['client'], id: number): Promise<string[]> {
  const input = { params: { id }, query: { lines: tailLines } }
  const logs = await client.call('readLogs', input).then(
    ({ body }) => body.logs,
    () => '',
  )
  return logs === '' ? [] : quoteLines(logs)
}

/** Strips control sequences, which could move the cursor or clear the screen. */
function quoteLines(text: string): string[] {
  return text.split('\n').map((line) => `  │ ${stripVTControlCharacters(line)}`)
}
