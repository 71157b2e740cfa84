import type { Command } from 'commander'
import { defineCommand, defineGroup, projectOption } from './define.ts'

const serverOption = ['--server', 'for events of the server instead of a project'] as const

/** Adds the commands for notifications and commit statuses. */
export function addReceiverCommands(program: Command): void {
  const notify = defineGroup(program, 'notify', 'send events to a webhook of your own')
  notify.helpGroup('Settings:')
  defineCommand(notify, 'add', 'send events to a URL; prints the signing key once')
    .argument('<url>', 'https:// URL that accepts POST requests')
    .option(...projectOption)
    .option(...serverOption)
    .option('--events <names>', 'only these events, separated by commas, such as deploy.failed')
    .action(async (url, options) => {
      const { addNotification } = await import('../commands/notify.ts')
      await addNotification(url, options)
    })
  defineCommand(notify, 'list', 'list the notifications with the newest failure of each')
    .option(...projectOption)
    .option(...serverOption)
    .action(async (options) => {
      const { listNotifications } = await import('../commands/notify.ts')
      await listNotifications(options)
    })
  defineCommand(notify, 'test', 'send a test now and show the answer')
    .argument('<id>', 'id of the notification')
    .option(...projectOption)
    .option(...serverOption)
    .action(async (id, options) => {
      const { testNotification } = await import('../commands/notify.ts')
      await testNotification(id, options)
    })
  defineCommand(notify, 'remove', 'stop sending events to a URL')
    .argument('<id>', 'id of the notification')
    .option(...projectOption)
    .option(...serverOption)
    .action(async (id, options) => {
      const { removeNotification } = await import('../commands/notify.ts')
      await removeNotification(id, options)
    })

  const statuses = defineGroup(program, 'statuses', 'show deploys beside the commits at a git host')
  statuses.helpGroup('Settings:')
  defineCommand(statuses, 'on', 'send commit statuses; reads the API token from standard input')
    .argument('<host>', 'github, gitlab or gitea')
    .option(...projectOption)
    .option('--api-url <url>', "base URL of the host's API; by default derived from the remote")
    .option('--repository <path>', 'repository at the host; by default that of the remote')
    .action(async (host, options) => {
      const { setStatuses } = await import('../commands/statuses.ts')
      await setStatuses(host, options)
    })
  defineCommand(statuses, 'show', 'show the git host and its newest failure')
    .option(...projectOption)
    .action(async (options) => {
      const { showStatuses } = await import('../commands/statuses.ts')
      await showStatuses(options)
    })
  defineCommand(statuses, 'off', 'stop sending commit statuses and delete the API token')
    .option(...projectOption)
    .action(async (options) => {
      const { removeStatuses } = await import('../commands/statuses.ts')
      await removeStatuses(options)
    })
}
