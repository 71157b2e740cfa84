import type { AuditEntry } from '../../../../client/contract.ts'
import type { IconName } from '../../components/icon.tsx'

type Kind = AuditEntry['kind']

interface KindLook {
  readonly text: string
  readonly icon: IconName
  readonly tone?: 'good' | 'bad'
}

/** The words and the icon for each kind of audit entry. */
export const kindLooks: Readonly<Record<Kind, KindLook>> = {
  build_succeeded: { text: 'Deployed', icon: 'check', tone: 'good' },
  build_failed: { text: 'Deploy failed', icon: 'warning', tone: 'bad' },
  idle_timeout: { text: 'Paused when idle', icon: 'moon' },
  paused: { text: 'Paused', icon: 'pause' },
  woken: { text: 'Woken', icon: 'play' },
  deep_sleep: { text: 'Hibernated', icon: 'moon' },
  ttl_expired: { text: 'Expired', icon: 'clock' },
  destroy: { text: 'Destroyed', icon: 'trash' },
  project_created: { text: 'Project added', icon: 'projects' },
  project_updated: { text: 'Project changed', icon: 'settings' },
  project_deleted: { text: 'Project deleted', icon: 'trash' },
  secret_set: { text: 'Secret set', icon: 'secrets' },
  secret_deleted: { text: 'Secret deleted', icon: 'secrets' },
  token_created: { text: 'Token created', icon: 'tokens' },
  token_revoked: { text: 'Token revoked', icon: 'tokens' },
  node_registered: { text: 'Node registered', icon: 'nodes' },
  node_updated: { text: 'Node changed', icon: 'nodes' },
  node_removed: { text: 'Node removed', icon: 'nodes' },
  key_rotated: { text: 'Key rotated', icon: 'refresh' },
  backup_created: { text: 'Backup made', icon: 'download' },
  restore_staged: { text: 'Restore staged', icon: 'refresh' },
  restore_applied: { text: 'Restore applied', icon: 'refresh' },
  restore_rejected: { text: 'Restore rejected', icon: 'warning', tone: 'bad' },
  data_restored: { text: 'Data restored', icon: 'rollback' },
  data_purged: { text: 'Data removed', icon: 'trash' },
  data_read: { text: 'Data read', icon: 'rollback' },
  command_started: { text: 'Command started', icon: 'play' },
  domain_added: { text: 'Domain added', icon: 'plus', tone: 'good' },
  domain_removed: { text: 'Domain removed', icon: 'trash' },
  certificate_issued: { text: 'Certificate issued', icon: 'check', tone: 'good' },
  certificate_failed: { text: 'Certificate failed', icon: 'warning', tone: 'bad' },
  command_ended: { text: 'Command ended', icon: 'check' },
}

export const auditKinds: readonly Kind[] = Object.keys(kindLooks) as Kind[]
