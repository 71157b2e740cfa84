import { sql as tables } from './migrations/0001-tables.ts'
import { sql as defaultBranch } from './migrations/0002-default-branch.ts'
import { sql as oneProjectPerRemote } from './migrations/0003-one-project-per-remote.ts'
import { sql as projectUsers } from './migrations/0004-project-users.ts'
import { sql as trash } from './migrations/0005-trash.ts'
import { sql as webhookSecrets } from './migrations/0006-webhook-secrets.ts'
import { sql as hostAddress } from './migrations/0007-host-address.ts'
import { sql as readableVariables } from './migrations/0008-readable-variables.ts'
import { sql as branchDatabases } from './migrations/0009-branch-databases.ts'
import { sql as processFaults } from './migrations/0010-process-faults.ts'
import { sql as domains } from './migrations/0011-domains.ts'
import { sql as scheduleRuns } from './migrations/0012-schedule-runs.ts'
import { sql as receivers } from './migrations/0013-receivers.ts'

/** A schema migration. Migrations are modules, not `.sql` files, so that the bundle contains them. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
}

/** All migrations in order, without gaps. Never edit a released migration. */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'tables', sql: tables },
  { version: 2, name: 'default-branch', sql: defaultBranch },
  { version: 3, name: 'one-project-per-remote', sql: oneProjectPerRemote },
  { version: 4, name: 'project-users', sql: projectUsers },
  { version: 5, name: 'trash', sql: trash },
  { version: 6, name: 'webhook-secrets', sql: webhookSecrets },
  { version: 7, name: 'host-address', sql: hostAddress },
  { version: 8, name: 'readable-variables', sql: readableVariables },
  { version: 9, name: 'branch-databases', sql: branchDatabases },
  { version: 10, name: 'process-faults', sql: processFaults },
  { version: 11, name: 'domains', sql: domains },
  { version: 12, name: 'schedule-runs', sql: scheduleRuns },
  { version: 13, name: 'receivers', sql: receivers },
]

export const schemaVersion = migrations.length
