import type { AuditEntry, AuditKind, Environment } from '../../domain/records.ts'
import type { Actor } from './use-cases.ts'

/** The daemon itself: sweeps, wakes that a visitor caused, repairs. */
export const daemonActor: Pick<Actor, 'operator' | 'requestId'> = {
  operator: 'daemon',
  requestId: '',
}

/** Who did it, as far as audit rows tell. */
export type Doer = Pick<Actor, 'operator' | 'requestId'>

/** What an audit row is about. */
export type Subject =
  | { readonly environment: Pick<Environment, 'id' | 'projectId' | 'branch'> }
  | { readonly projectId: number; readonly branch?: string }
  | Readonly<Record<string, never>>

/** An audit row: what happened (`detail` is a sentence without secrets), to what, when, by whom. */
export function auditRow(
  kind: AuditKind,
  subject: Subject,
  detail: string,
  { operator, requestId }: Doer,
  occurredAt: number,
): Omit<AuditEntry, 'id'> {
  return {
    kind,
    ...idsOf(subject),
    detail,
    occurredAt,
    operator,
    requestId: requestId === '' ? null : requestId,
  }
}

function idsOf(subject: Subject): Pick<AuditEntry, 'environmentId' | 'projectId' | 'branch'> {
  if ('environment' in subject && typeof subject.environment === 'object') {
    const { id, projectId, branch } = subject.environment
    return { environmentId: id, projectId, branch }
  }
  if ('projectId' in subject && typeof subject.projectId === 'number') {
    return { environmentId: null, projectId: subject.projectId, branch: subject.branch ?? null }
  }
  return { environmentId: null, projectId: null, branch: null }
}
