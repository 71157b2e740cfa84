import { type Command, CommanderError } from 'commander'

/** Marks a usage error of a client command: it exits with 1, and a generator command with 2. */
export const clientUsageCode = 'strata.clientUsage'

/** Defines a client command with the options that all client commands share. */
export function defineCommand(parent: Command, name: string, description: string): Command {
  return defineGroup(parent, name, description)
    .option('--json', 'print JSON on stdout and nothing else')
    .option('--context <name>', 'context of the daemon to use')
}

/** Defines a client command without options, usually a parent of subcommands. */
export function defineGroup(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .exitOverride((error) => {
      if (error.exitCode === 0) throw error
      throw new CommanderError(1, clientUsageCode, error.message)
    })
}

export const projectOption = [
  '--project <name>',
  "name or id of the project (default: this folder's project)",
] as const

export const yesOption = ['--yes', 'do not ask; required without a terminal'] as const

/** Adds the argument and the options that select an environment. */
export function addTargetOptions(command: Command): Command {
  return command
    .argument('[environment]', 'environment id or branch (default: the checked-out branch)')
    .option('--branch <name>', 'select by branch, for a branch whose name is a number')
    .option(...projectOption)
}
