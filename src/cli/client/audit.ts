import type { AuditEntry } from '../../../daemon/client/contract.ts'
import { durationMs } from '../../../daemon/domain/duration.ts'
import { ClientError } from './client-error.ts'
import { findTarget, type TargetOptions } from './environments.ts'
import { requireProject } from './projects.ts'
import { runWithDaemon } from './run.ts'
import type { CommonOptions, Session } from './session.ts'
import { printable } from './terminal/printable.ts'
import { parseCount } from './values.ts'

export interface AuditOptions extends CommonOptions, TargetOptions {
  readonly all?: boolean
  readonly since?: string
  readonly until?: string
  readonly kind?: string
  readonly limit?: string
}

/** `strata audit`: of an environment, of a branch, of the folder's project, or of all. */
export function audit(named: string | undefined, options: AuditOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { output } = session
    const entries = await read(session, named, options)
    output.result(entries, () =>
      entries.length === 0
        ? ['nothing happened that this asks for']
        : output.table(
            ['WHEN', 'KIND', 'BRANCH', 'BY', 'WHAT'],
            entries.map((entry) => [
              entry.occurred_at.slice(0, 19).replace('T', ' '),
              entry.kind,
              printable(entry.branch ?? ''),
              printable(entry.operator),
              printable(entry.detail),
            ]),
          ),
    )
  })
}

async function read(
  session: Session,
  named: string | undefined,
  options: AuditOptions,
): Promise<AuditEntry[]> {
  const { client, signal } = session
  const query = filterOf(options)
  if (named !== undefined && options.branch === undefined && /^\d+$/.test(named)) {
    const { id } = (await findTarget(session, named, options)).environment
    return (await client.call('listEnvironmentAudit', { params: { id }, query }, { signal })).body
  }
  const branch = options.branch ?? named
  const project = options.all ? undefined : (await requireProject(session, options.project)).project
  const all = { ...query, project_id: project?.id, branch }
  return (await client.call('listAudit', { query: all }, { signal })).body
}

function filterOf({ since, until, kind, limit }: AuditOptions) {
  const now = Date.now()
  return {
    since: since === undefined ? undefined : timeOf('--since', since, now),
    until: until === undefined ? undefined : timeOf('--until', until, now),
    kind,
    limit: parseCount('--limit', limit ?? '50', 1000),
  }
}

/** A time, or how long ago it was. Throws ClientError. */
export function timeOf(option: string, text: string, nowMs: number): string {
  const ms = durationMs(text)
  if (ms !== undefined) return new Date(nowMs - ms).toISOString()
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new ClientError(
    `${option} must be a time, as 2026-01-31T12:00:00Z, or a duration, as 2h, not ${text}`,
  )
}
