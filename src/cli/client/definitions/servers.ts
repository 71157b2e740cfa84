import type { Command } from 'commander'
import { defineCommand, defineGroup, yesOption } from './define.ts'

/** Adds the commands that install the daemon as a service of this machine. */
export function addServerCommands(program: Command): void {
  const server = defineGroup(program, 'server', 'install this machine as a server').helpGroup(
    'Daemons:',
  )
  defineCommand(server, 'install', 'install the daemon as a systemd service; needs root')
    .option('--base-domain <domain>', 'apps are served at <branch>--<project>.<domain>')
    .option('--acme-email <address>', 'get certificates by ACME for this contact')
    .option('--addr <host:port>', 'address of the API (default: 127.0.0.1:9000)')
    .option('--gateway-addr <host:port>', 'address that serves apps (default: port 80 everywhere)')
    .option('--set <NAME=value>', 'another setting of the daemon; repeatable', collected)
    .option('--root <folder>', 'write into another root folder, for example of an image')
    .option('--dry-run', 'print the steps and the unit without changing anything')
    .action(async (options) => {
      const { installServer } = await import('../server/install.ts')
      await installServer(options)
    })
  defineCommand(server, 'status', 'show version, unit, addresses, walls and disk').action(
    async (options) => {
      const { serverStatus } = await import('../server/status.ts')
      await serverStatus(options)
    },
  )
  defineCommand(server, 'upgrade', 'start another version; go back if it does not start')
    .argument('[source]', 'package file, or an installed version (default: this program)')
    .option('--timeout <seconds>', 'time in which the new version must answer', '60')
    .action(async (source, options) => {
      const { upgradeServer } = await import('../server/upgrade.ts')
      await upgradeServer(source, options)
    })
  defineCommand(server, 'rollback', 'go back to the version before the last upgrade')
    .option(...yesOption)
    .action(async (options) => {
      const { rollbackServer } = await import('../server/rollback.ts')
      await rollbackServer(options)
    })
  defineCommand(server, 'uninstall', 'stop all apps and remove the program; keeps the data')
    .option('--purge', 'remove the data of all apps too')
    .option(...yesOption)
    .action(async (options) => {
      const { uninstallServer } = await import('../server/uninstall.ts')
      await uninstallServer(options)
    })
}

/** Collects the values of an option that may be repeated. */
function collected(value: string, values: readonly string[] = []): string[] {
  return [...values, value]
}
