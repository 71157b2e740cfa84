import type { AuditEntry } from '../../../../daemon/client/contract.ts'
import { durationMs } from '../../../../daemon/client/duration.ts'
import type { CommonOptions, Session } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { findTarget, isEnvironmentId, type TargetOptions } from '../projects/environments.ts'
import { requireProject } from '../projects/projects.ts'
import { parseCount } from '../run/option-values.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { printable } from '../terminal/printable.ts'

export interface AuditOptions extends CommonOptions, TargetOptions {
  readonly all?: boolean
  readonly since?: string
  readonly until?: string
  readonly kind?: string
  readonly limit?: string
}

/** `strata audit`: lists the audit records of an environment, a branch, this folder's project or all projects. */
export function audit(target: string | undefined, options: AuditOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { output } = session
    const entries = await readEntries(session, target, options)
    output.result(entries, () =>
      entries.length === 0
        ? ['no matching audit events']
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

async function readEntries(
  session: Session,
  target: string | undefined,
  options: AuditOptions,
): Promise<AuditEntry[]> {
  const { client, signal } = session
  const query = filterOf(options)
  if (isEnvironmentId(target, options)) {
    const { id } = (await findTarget(session, target, options)).environment
    return (await client.call('listEnvironmentAudit', { params: { id }, query }, { signal })).body
  }
  const branch = options.branch ?? target
  const project = options.all ? undefined : (await requireProject(session, options.project)).project
  const all = { ...query, project_id: project?.id, branch }
  return (await client.call('listAudit', { query: all }, { signal })).body
}

function filterOf({ since, until, kind, limit }: AuditOptions) {
  const now = Date.now()
  return {
    since: since === undefined ? undefined : parseTime('--since', since, now),
    until: until === undefined ? undefined : parseTime('--until', until, now),
    kind,
    limit: parseCount('--limit', limit ?? '50', 1000),
  }
}

/** Converts an ISO 8601 time, or a duration before `nowMs`, to an ISO 8601 time. Throws ClientError. */
function parseTime(option: string, text: string, nowMs: number): string {
  const ms = durationMs(text)
  if (ms !== undefined) return new Date(nowMs - ms).toISOString()
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new ClientError(
    `invalid ${option} ${JSON.stringify(text)}: expected a time such as 2026-01-31T12:00:00Z, or a duration such as 2h`,
  )
}
