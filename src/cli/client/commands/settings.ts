import type { Command } from 'commander'
import { bare, define } from './define.ts'

/** What an app is given, and how a project behaves. */
export function addSettingCommands(program: Command): void {
  const group = 'Settings:'
  const env = bare(program, 'env', 'secrets and variables of apps').helpGroup(group)
  withScope(define(env, 'set', 'set one or more; apps have them from their next start on'))
    .argument('<names...>', 'NAME=value, or NAME alone: its value comes from standard input')
    .action(async (names, options) => {
      const { setEnv } = await import('../env.ts')
      await setEnv(names, options)
    })
  withScope(define(env, 'list', 'list their names; values never come back')).action(
    async (options) => {
      const { listEnv } = await import('../env.ts')
      await listEnv(options)
    },
  )
  withScope(define(env, 'delete', 'delete one or more'))
    .argument('<names...>', 'their names')
    .action(async (names, options) => {
      const { deleteEnv } = await import('../env.ts')
      await deleteEnv(names, options)
    })
  define(program, 'configure', 'show or change how a project behaves')
    .helpGroup(group)
    .option('--project <name>', "a project by its name or id (default: this folder's)")
    .option('--pause-after <duration>', 'sleeps when idle for so long, as 30m')
    .option('--destroy-after <duration>', 'is removed when idle for so long, as 7d')
    .option('--branches <globs>', 'only pushes to these deploy, separated by commas')
    .option('--ignore <globs>', 'pushes to these do not')
    .option('--max-environments <count>', 'at most so many branches; none for no limit')
    .option('--git-token', 'a token for the git host, from standard input; empty clears it')
    .action(async (options) => {
      const { configure } = await import('../configure.ts')
      await configure(options)
    })
}

function withScope(command: Command): Command {
  return command
    .option('--project <name>', "a project by its name or id (default: this folder's)")
    .option('--branch <name>', 'for one branch of the project')
    .option('--global', 'for all apps')
}
