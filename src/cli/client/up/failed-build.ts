import { stripVTControlCharacters } from 'node:util'
import { AnswerError } from '../../../../daemon/client/errors.ts'
import { ClientError } from '../client-error.ts'
import { exitCodeOf } from '../report.ts'
import type { Session } from '../session.ts'

const tailLines = 30

/** A deploy that failed, with the end of the build's output; other errors are given back as they are. */
export async function explainFailure(
  { client }: Session,
  error: unknown,
  { branch, hasLive, ifAbsent }: { branch: string; hasLive: boolean; ifAbsent: readonly string[] },
): Promise<unknown> {
  if (!(error instanceof AnswerError)) return error
  const exitCode = exitCodeOf(error.status)
  if (error.status === 404) {
    return new ClientError(error.message, { exitCode, next: ifAbsent })
  }
  if (error.status !== 422) return error
  const { environment_id: id } = error.body
  const note = hasLive ? '; the version before it goes on' : ''
  if (typeof id !== 'number') {
    return new ClientError(`the deploy of ${branch} failed: ${error.message}${note}`, { exitCode })
  }
  return new ClientError(`the deploy of ${branch} failed: ${error.message}${note}`, {
    exitCode,
    details: await tailOf(client, id),
    next: [
      `strata logs ${id} --lines 1000   shows all that the build and the app wrote`,
      'correct it, commit, and: strata up',
    ],
  })
}

async function tailOf(client: Session['client'], id: number): Promise<string[]> {
  const input = { params: { id }, query: { lines: tailLines } }
  const logs = await client.call('readLogs', input).then(
    ({ body }) => body.logs,
    () => '',
  )
  return logs === '' ? [] : linesOf(logs)
}

/** What would move the cursor or clear the screen is taken out. */
function linesOf(text: string): string[] {
  return text.split('\n').map((line) => `  │ ${stripVTControlCharacters(line)}`)
}
