import { followLogs, type LogLine } from '../../../../daemon/client/follow-logs.ts'
import type { CommonOptions, Session } from '../connection/session.ts'
import {
  findOfBranch,
  findTarget,
  type Target,
  type TargetOptions,
} from '../projects/environments.ts'
import { parseCount } from '../run/option-values.ts'
import { runWithDaemon } from '../run/run-command.ts'

export interface LogsOptions extends CommonOptions, TargetOptions {
  readonly follow?: boolean
  readonly lines?: string
  readonly timestamps?: boolean
  readonly process?: string
}

/** `strata logs`: prints the log of an environment, or of its build while it builds or after the build failed. */
export function logs(targetText: string | undefined, options: LogsOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const target = await findTarget(session, targetText, options)
    if (options.follow) return follow(session, target, options)
    const { client, output, signal } = session
    const lines = parseCount('--lines', options.lines ?? '200', 10_000)
    const input = {
      params: { id: target.environment.id },
      query: { lines, process: options.process },
    }
    const { body } = await client.call('readLogs', input, { signal })
    output.result(body, () => (body.logs === '' ? [] : body.logs.split('\n')))
    if (body.logs === '') output.note('the log is empty; strata logs -f waits for output')
  })
}

/** Prints new lines until Ctrl-C or the end of the environment. For a branch, continues with its next deploy. */
async function follow(session: Session, target: Target, options: LogsOptions): Promise<void> {
  const { client, output, signal } = session
  const { project } = target
  let { environment } = target
  let afterId: number | undefined
  for (;;) {
    const lines = followLogs(client, environment.id, {
      signal,
      ...(afterId !== undefined && { afterId }),
      process: options.process,
      onDrop: (reason) => output.note(`(${reason}: reconnecting)`),
    })
    for await (const line of lines) await output.line(format(line, options))
    if (signal.aborted) return
    const next = project && (await findOfBranch(session, project, environment.branch.name))
    if (!next || next.id <= environment.id) {
      output.note(`(environment ${environment.id} is gone: end of the log)`)
      return
    }
    output.note(`(environment ${next.id} replaces ${environment.id})`)
    environment = next
    afterId = 0
  }
}

function format(line: LogLine, { json, timestamps }: LogsOptions): string {
  if (json) return JSON.stringify(line)
  return timestamps ? `${line.ts} ${line.line}` : line.line
}
