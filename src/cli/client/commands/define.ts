import { type Command, CommanderError } from 'commander'

/** The code of a CommanderError from a command of the client: its exit code is 1, not the generator's 2. */
export const clientUsage = 'strata.clientUsage'

/** A command of the client: what each of them takes, and the exit code of one that is used wrongly. */
export function define(parent: Command, name: string, description: string): Command {
  return bare(parent, name, description)
    .option('--json', 'print JSON on stdout and nothing else')
    .option('--context <name>', 'the daemon to ask, by the name of its context')
}

/** One that has commands below it. */
export function bare(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .exitOverride((error) => {
      if (error.exitCode === 0) throw error
      throw new CommanderError(1, clientUsage, error.message)
    })
}

/** For commands that are about an environment. */
export function withTarget(command: Command): Command {
  return command
    .argument('[environment]', 'id of an environment, or a branch (default: the one checked out)')
    .option('--branch <name>', 'a branch, where its name is a number')
    .option('--project <name>', "a project by its name or id (default: this folder's)")
}
