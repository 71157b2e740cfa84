import type { Command } from 'commander'
import { defineCommand, defineGroup } from './define.ts'

/** Adds the commands that start a local daemon, or choose the daemon and the token to use. */
export function addDaemonCommands(program: Command): void {
  const group = 'Daemons:'
  const daemon = defineGroup(program, 'daemon', 'manage the daemon on this machine').helpGroup(
    group,
  )
  addDataDirOption(
    defineCommand(daemon, 'start', 'start the local daemon and log in to it (no-op if it runs)'),
  )
    .option('--port <port>', 'port of the API (default: 9000)')
    .option('--gateway-port <port>', 'port that serves the apps (default: 9080)')
    .action(async (options) => {
      const { startDaemon } = await import('../daemon/start.ts')
      await startDaemon(options)
    })
  addDataDirOption(
    defineCommand(daemon, 'stop', 'stop the local daemon; apps keep running and answering'),
  )
    .option('--apps', 'also pause the apps and stop the gateway')
    .action(async (options) => {
      const { stopDaemon } = await import('../daemon/stop.ts')
      await stopDaemon(options)
    })
  addDataDirOption(
    defineCommand(daemon, 'status', 'show whether the local daemon runs, and its addresses'),
  )
    .option('--port <port>', 'API port to probe if strata did not start the daemon')
    .action(async (options) => {
      const { daemonStatus } = await import('../daemon/status.ts')
      await daemonStatus(options)
    })

  addConfigCommands(daemon)

  defineCommand(program, 'login', 'use a daemon; reads its token from standard input')
    .helpGroup(group)
    .argument('[url]', 'address of the daemon, for example https://deploy.example.com')
    .option('--name <context>', 'name of the new context (default: the host)')
    .addHelpText('after', '\nExample:  echo "$TOKEN" | strata login https://deploy.example.com')
    .action(async (url, options) => {
      const { login } = await import('../commands/login.ts')
      await login(url, options)
    })
  defineCommand(program, 'logout', 'forget a daemon and its token')
    .helpGroup(group)
    .argument('[context]', 'context to forget (default: the current one)')
    .action(async (context, options) => {
      const { logout } = await import('../commands/logout.ts')
      await logout(context, options)
    })
  defineCommand(program, 'whoami', 'show the current daemon, the token and its permissions')
    .helpGroup(group)
    .action(async (options) => {
      const { whoami } = await import('../commands/whoami.ts')
      await whoami(options)
    })
  const context = defineGroup(program, 'context', 'list known daemons or switch between them')
  context.helpGroup(group)
  defineCommand(context, 'list', 'list the contexts').action(async (options) => {
    const { listContexts } = await import('../commands/context.ts')
    await listContexts(options)
  })
  defineCommand(context, 'use', 'make a context the current one')
    .argument('<name>', 'name of the context')
    .action(async (name, options) => {
      const { useContext } = await import('../commands/context.ts')
      await useContext(name, options)
    })
  defineCommand(program, 'doctor', 'diagnose Node, git, ports, disk, daemon and token')
    .helpGroup(group)
    .action(async (options) => {
      const { doctor } = await import('../doctor/doctor.ts')
      await doctor(options)
    })
}

function addConfigCommands(daemon: Command): void {
  const config = defineGroup(daemon, 'config', 'show or change the kept settings of the daemon')
  addDataDirOption(
    defineCommand(config, 'get', 'print the kept settings; secret values are masked'),
  )
    .argument('[name]', 'setting to print, for example SERVICE_BASE_DOMAIN (default: all)')
    .action(async (name, options) => {
      const { getSettings } = await import('../daemon/config.ts')
      await getSettings(name, options)
    })
  addDataDirOption(
    defineCommand(config, 'set', 'keep settings in config.env; the next start uses them'),
  )
    .argument('<settings...>', 'NAME=value, or NAME to read the value from standard input')
    .action(async (settings, options) => {
      const { setSettings } = await import('../daemon/config.ts')
      await setSettings(settings, options)
    })
  addDataDirOption(defineCommand(config, 'unset', 'go back to the defaults of settings'))
    .argument('<names...>', 'names of the settings')
    .action(async (names, options) => {
      const { unsetSettings } = await import('../daemon/config.ts')
      await unsetSettings(names, options)
    })
}

function addDataDirOption(command: Command): Command {
  return command.option(
    '--data-dir <folder>',
    'data folder of the daemon (default: ~/.local/state/strata)',
  )
}
