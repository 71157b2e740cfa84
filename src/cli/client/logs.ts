import { followLogs, type LogLine } from '../../../daemon/client/follow-logs.ts'
import { findOfBranch, findTarget, type Target, type TargetOptions } from './environments.ts'
import { runWithDaemon } from './run.ts'
import type { CommonOptions, Session } from './session.ts'
import { parseCount } from './values.ts'

export interface LogsOptions extends CommonOptions, TargetOptions {
  readonly follow?: boolean
  readonly lines?: string
  readonly timestamps?: boolean
}

/** `strata logs`: what an environment wrote, or, while it is built and when that failed, what its build did. */
export function logs(named: string | undefined, options: LogsOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const target = await findTarget(session, named, options)
    if (options.follow) return follow(session, target, options)
    const { client, output, signal } = session
    const lines = parseCount('--lines', options.lines ?? '200', 10_000)
    const input = { params: { id: target.environment.id }, query: { lines } }
    const { body } = await client.call('readLogs', input, { signal })
    output.result(body, () => (body.logs === '' ? [] : body.logs.split('\n')))
    if (body.logs === '') output.note('it has written nothing yet: strata logs -f waits for it')
  })
}

/** Until Ctrl-C, or until the environment is gone; a branch is followed into its next deploy. */
async function follow(session: Session, target: Target, options: LogsOptions): Promise<void> {
  const { client, output, signal } = session
  const { project } = target
  let { environment } = target
  let afterId: number | undefined
  for (;;) {
    const lines = followLogs(client, environment.id, {
      signal,
      ...(afterId !== undefined && { afterId }),
      onDrop: (why) => output.note(`(${why}: connecting again)`),
    })
    for await (const line of lines) await output.line(format(line, options))
    if (signal.aborted) return
    const next = project && (await findOfBranch(session, project, environment.branch.name))
    if (!next || next.id <= environment.id) {
      output.note(`(environment ${environment.id} is gone: nothing more comes)`)
      return
    }
    output.note(`(environment ${next.id} has taken the place of ${environment.id})`)
    environment = next
    afterId = 0
  }
}

export function format(line: LogLine, { json, timestamps }: LogsOptions): string {
  if (json) return JSON.stringify(line)
  return timestamps ? `${line.ts} ${line.line}` : line.line
}
