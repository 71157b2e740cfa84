import type { AuditEntry } from '../../../../client/contract.ts'
import { auditKinds } from './kind-texts.ts'

/** The filters of the audit room, as its address holds them. Times are those of `<input type="datetime-local">`. */
export interface AuditFilters {
  readonly project: number | undefined
  readonly branch: string | undefined
  readonly kind: AuditEntry['kind'] | undefined
  readonly since: string | undefined
  readonly until: string | undefined
  /** The last entry of the previous page. */
  readonly before: AuditCursor | undefined
}

export interface AuditCursor {
  readonly occurredAt: string
  readonly id: number
}

export const pageSize = 50

/** Reads the filters from a query such as `?kind=paused&project=1`. Ignores values that are not valid. */
export function filtersOf(query: string): AuditFilters {
  const values = new URLSearchParams(query)
  const text = (name: string) => values.get(name)?.trim() || undefined
  const kind = auditKinds.find((known) => known === text('kind'))
  const project = /^[1-9]\d{0,14}$/.exec(text('project') ?? '')
  return {
    project: project ? Number(project[0]) : undefined,
    branch: text('branch'),
    kind,
    since: timeOf(text('since')),
    until: timeOf(text('until')),
    before: cursorOf(text('before')),
  }
}

/** Returns the query of `GET /audit` for a page. It asks for more than a page, to know whether a next one exists. */
export function requestOf({ project, branch, kind, since, until, before }: AuditFilters) {
  const end = until === undefined ? undefined : endOfMinute(until)
  const last = before && (end === undefined || before.occurredAt < end) ? before.occurredAt : end
  return {
    ...(project !== undefined && { project_id: project }),
    ...(branch !== undefined && { branch }),
    ...(kind !== undefined && { kind }),
    ...(since !== undefined && { since: new Date(since).toISOString() }),
    ...(last !== undefined && { until: last }),
    limit: before ? pageSize * 4 : pageSize + 1,
  }
}

/** Returns the entries of a page, and the cursor of the next page if there is one. */
export function pageOf(
  entries: readonly AuditEntry[],
  before: AuditCursor | undefined,
): { readonly entries: readonly AuditEntry[]; readonly next: AuditCursor | undefined } {
  // The answer starts at the time of the cursor, and so repeats entries of the previous page.
  const older = entries.filter(
    ({ occurred_at, id }) =>
      !before ||
      occurred_at < before.occurredAt ||
      (occurred_at === before.occurredAt && id < before.id),
  )
  const shown = older.slice(0, pageSize)
  const last = shown.at(-1)
  const hasNext = older.length > shown.length && last !== undefined
  return {
    entries: shown,
    next: hasNext ? { occurredAt: last.occurred_at, id: last.id } : undefined,
  }
}

export function cursorText({ occurredAt, id }: AuditCursor): string {
  return `${occurredAt},${id}`
}

function cursorOf(text: string | undefined): AuditCursor | undefined {
  const [, time = '', id] = /^([\d:.TZ-]+),(\d{1,15})$/.exec(text ?? '') ?? []
  if (id === undefined || Number.isNaN(Date.parse(time))) return undefined
  return { occurredAt: time, id: Number(id) }
}

function timeOf(text: string | undefined): string | undefined {
  return text !== undefined && !Number.isNaN(Date.parse(text)) ? text : undefined
}

/** The field has no seconds: its minute belongs to the period. */
function endOfMinute(text: string): string {
  return new Date(Date.parse(text) + 59_999).toISOString()
}
