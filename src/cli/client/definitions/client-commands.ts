import type { Command } from 'commander'
import { addDaemonCommands } from './daemons.ts'
import { addDatabaseCommands } from './databases.ts'
import { addDeployCommands } from './deploys.ts'
import { addDomainCommands } from './domains.ts'
import { addOperationCommands } from './operations.ts'
import { addReceiverCommands } from './receivers.ts'
import { addServerCommands } from './servers.ts'
import { addSettingCommands } from './settings.ts'

/** Adds the commands that talk to a daemon. Each action imports its implementation only when it runs. */
export function addClientCommands(program: Command): void {
  addDeployCommands(program)
  addSettingCommands(program)
  addDatabaseCommands(program)
  addDomainCommands(program)
  addReceiverCommands(program)
  addDaemonCommands(program)
  addServerCommands(program)
  addOperationCommands(program)
}
