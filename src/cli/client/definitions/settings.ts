import type { Command } from 'commander'
import { defineCommand, defineGroup, projectOption } from './define.ts'

/** Adds the commands for environment variables and project settings. */
export function addSettingCommands(program: Command): void {
  const group = 'Settings:'
  const env = defineGroup(program, 'env', 'manage environment variables of apps').helpGroup(group)
  addScopeOptions(defineCommand(env, 'set', 'set variables; apps read them at their next start'))
    .argument('<names...>', 'NAME=value, or NAME to read the value from standard input')
    .option(...readableOption)
    .option('--allow-empty', 'set an empty value if standard input is empty')
    .action(async (names, options) => {
      const { setEnv } = await import('../commands/env.ts')
      await setEnv(names, options)
    })
  addScopeOptions(
    defineCommand(env, 'list', 'list the variables; values of secrets are never shown'),
  ).action(async (options) => {
    const { listEnv } = await import('../commands/env.ts')
    await listEnv(options)
  })
  addScopeOptions(defineCommand(env, 'delete', 'delete variables'))
    .argument('<names...>', 'names of the variables')
    .action(async (names, options) => {
      const { deleteEnv } = await import('../commands/env.ts')
      await deleteEnv(names, options)
    })
  addScopeOptions(
    defineCommand(env, 'import', 'set the variables of a .env file; none if one name is invalid'),
  )
    .argument('<file>', 'path of the file, or - for standard input')
    .option(...readableOption)
    .action(async (file, options) => {
      const { importEnv } = await import('../commands/env-file.ts')
      await importEnv(file, options)
    })
  addScopeOptions(
    defineCommand(env, 'export', 'print a .env file; values of secrets never leave the daemon'),
  ).action(async (options) => {
    const { exportEnv } = await import('../commands/env-file.ts')
    await exportEnv(options)
  })
  defineCommand(program, 'configure', 'show or change the settings of a project')
    .helpGroup(group)
    .option(...projectOption)
    .option('--pause-after <duration>', 'pause after this time without a request, for example 30m')
    .option(
      '--destroy-after <duration>',
      'remove branches except the default one after this time without a request, for example 7d, or never',
    )
    .option('--branches <globs>', 'deploy pushes to these branches only, separated by commas')
    .option('--ignore <globs>', 'never deploy pushes to these branches, separated by commas')
    .option('--max-environments <count>', 'maximum number of environments; none for no limit')
    .option('--git-token', 'read a git host token from standard input; empty input clears it')
    .action(async (options) => {
      const { configure } = await import('../commands/configure.ts')
      await configure(options)
    })
  const webhook = defineGroup(program, 'webhook', "manage a project's own webhook secret")
  webhook.helpGroup(group)
  defineCommand(webhook, 'create', 'create the secret, or replace it; prints it once')
    .option(...projectOption)
    .action(async (options) => {
      const { createWebhookSecret } = await import('../commands/webhook.ts')
      await createWebhookSecret(options)
    })
  defineCommand(webhook, 'delete', "delete the secret; the daemon's own secret stays valid")
    .option(...projectOption)
    .action(async (options) => {
      const { deleteWebhookSecret } = await import('../commands/webhook.ts')
      await deleteWebhookSecret(options)
    })
}

const readableOption = [
  '--readable',
  'no secrets: env list, env export and logs show the values',
] as const

function addScopeOptions(command: Command): Command {
  return command
    .option(...projectOption)
    .option('--branch <name>', 'apply to one branch of the project')
    .option('--global', 'apply to all apps')
}
