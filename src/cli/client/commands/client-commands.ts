import type { Command } from 'commander'
import { addConnectionCommands } from './connection.ts'
import { addDeployCommands } from './deploys.ts'
import { addOperationCommands } from './operations.ts'
import { addSettingCommands } from './settings.ts'

/** The client of the daemon (daemon-api.md, 14). What a command does is loaded when it runs. */
export function addClientCommands(program: Command): void {
  addDeployCommands(program)
  addSettingCommands(program)
  addConnectionCommands(program)
  addOperationCommands(program)
}
