/**
 * Ports (interfaces) that the use cases depend on, a file of `ports/` for each subject. Each adapter has its own folder;
 * `container.ts` connects them. Times are milliseconds since 1970 (UTC). Ids start at 1 and are never reused. Expected
 * errors are DaemonError; other errors are bugs.
 */

import type { Role } from './domain/records.ts'

export type { Archive, Archives, BackupHealth } from './ports/archives.ts'
export type { Builder, BuildPlan, OutputSink } from './ports/builder.ts'
export type {
  CertificateAuthority,
  CertificateFiles,
  Challenge,
  DomainProof,
  FileCertificate,
  IssuedCertificate,
  ServedCertificate,
} from './ports/certificates.ts'
export type { Database, TransactionOptions } from './ports/database.ts'
export type {
  DatabaseAccess,
  DatabaseServer,
  DatabaseServers,
  TransferOptions,
} from './ports/database-server.ts'
export type { BranchData, Fleet, NodeCapacity, NodeDraft } from './ports/fleet.ts'
export type { Gateway, Route } from './ports/gateway.ts'
export type { DefaultBranch, Git, GitSource } from './ports/git.ts'
export type { AppTrees, AppUsage, EngineCheck, HostProbe, UsageProbe } from './ports/host.ts'
export type { LogLine, Logs } from './ports/logs.ts'
export type { OneOffEnd, OneOffIo, OneOffs } from './ports/one-offs.ts'
export type { ProxyAnswer, ProxyProgram, ProxyWatch } from './ports/proxy.ts'
export type { Redacted } from './ports/redacted.ts'
export type {
  BranchChange,
  GitExchange,
  GitPush,
  GitService,
  HostedBranches,
  PushedRef,
  RefAnswer,
  Repositories,
} from './ports/repositories.ts'
export type { AppSpec, Instance, InstanceExit, Runtime } from './ports/runtime.ts'
export type { KeyVault, NextKey, SealedValues, Vault } from './ports/sealed.ts'
export type { OutgoingRequest, Sender } from './ports/sender.ts'
export type {
  AcmeAccountStore,
  AuditFilter,
  AuditStore,
  BranchDatabaseStore,
  DeliveryStore,
  DomainStore,
  EnvironmentStore,
  NodeStore,
  OutgoingStore,
  ProjectStore,
  ProjectUserStore,
  QueueStore,
  ReceiverStore,
  ScheduleRunStore,
  SecretStore,
  Store,
  TokenStore,
  TrashStore,
} from './ports/store.ts'
export type {
  Cell,
  CellSpawn,
  GroupEnd,
  GroupLimits,
  GroupUsage,
  Wall,
  Walls,
} from './ports/walls.ts'

export interface Clock {
  /** Returns the time in milliseconds since 1970 (UTC). */
  now(): number
  /** Milliseconds since an arbitrary start. Never jumps, and stands still while the machine is suspended. */
  monotonic(): number
  /** Resolves after `ms`. Rejects with the signal's reason if the signal is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/** The methods of a pino logger that the daemon uses. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The credential of a request: no authentication configured, the master token, or a named token. */
export type Principal =
  | { readonly kind: 'open' }
  | { readonly kind: 'master' }
  | {
      readonly kind: 'token'
      readonly id: number
      readonly name: string
      readonly role: Role
      /** Ids of the accessible projects; `null`: all projects. */
      readonly projects: readonly number[] | null
      readonly expiresAt: number | null
    }
