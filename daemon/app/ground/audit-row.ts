import type { AuditEntry, AuditKind, Environment } from '../../domain/records.ts'
import type { Actor } from './use-cases.ts'

/** The part of an actor that audit records contain. */
export type AuditActor = Pick<Actor, 'operator' | 'requestId'>

/** Actor of sweeps, repairs and wakes caused by visitors. */
export const daemonActor: AuditActor = { operator: 'daemon', requestId: '' }

/** Subject of an audit record: an environment, a project, a branch, or (empty) the whole daemon. */
export type AuditSubject =
  | { readonly environment: Pick<Environment, 'id' | 'projectId' | 'branch'> }
  | { readonly projectId: number; readonly branch?: string }
  | Readonly<Record<string, never>>

/** Returns an audit record without its id. `detail` is shown to users: a sentence without secrets. */
export function auditRow(
  kind: AuditKind,
  subject: AuditSubject,
  detail: string,
  { operator, requestId }: AuditActor,
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

function idsOf(subject: AuditSubject): Pick<AuditEntry, 'environmentId' | 'projectId' | 'branch'> {
  if ('environment' in subject && typeof subject.environment === 'object') {
    const { id, projectId, branch } = subject.environment
    return { environmentId: id, projectId, branch }
  }
  if ('projectId' in subject && typeof subject.projectId === 'number') {
    return { environmentId: null, projectId: subject.projectId, branch: subject.branch ?? null }
  }
  return { environmentId: null, projectId: null, branch: null }
}
