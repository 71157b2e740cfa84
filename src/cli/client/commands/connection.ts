import type { Command } from 'commander'
import { bare, define } from './define.ts'

/** Which daemon, and with which token. */
export function addConnectionCommands(program: Command): void {
  const group = 'Daemons:'
  const daemon = bare(program, 'daemon', 'a daemon on this machine').helpGroup(group)
  withPlace(define(daemon, 'start', 'start it and log in to it; a running one is fine'))
    .option('--port <port>', 'of the API (default: 9000)')
    .option('--gateway-port <port>', 'where apps answer (default: 9080)')
    .action(async (options) => {
      const { startDaemon } = await import('../daemon/start.ts')
      await startDaemon(options)
    })
  withPlace(define(daemon, 'stop', 'stop it; apps go on answering'))
    .option('--apps', 'put the apps to sleep and end the gateway too')
    .action(async (options) => {
      const { stopDaemon } = await import('../daemon/stop.ts')
      await stopDaemon(options)
    })
  withPlace(define(daemon, 'status', 'whether it runs, and where'))
    .option('--port <port>', 'where to look for one that was not started so')
    .action(async (options) => {
      const { daemonStatus } = await import('../daemon/status.ts')
      await daemonStatus(options)
    })

  define(program, 'login', 'use a daemon; its token comes from standard input')
    .helpGroup(group)
    .argument('[url]', 'address of the daemon, as https://deploy.example.com')
    .option('--name <context>', 'the name to keep it under (default: its host)')
    .addHelpText('after', '\nExample:  echo "$TOKEN" | strata login https://deploy.example.com')
    .action(async (url, options) => {
      const { login } = await import('../login.ts')
      await login(url, options)
    })
  define(program, 'logout', 'forget a daemon and its token')
    .helpGroup(group)
    .argument('[context]', 'the context to forget (default: the current one)')
    .action(async (context, options) => {
      const { logout } = await import('../identity.ts')
      await logout(context, options)
    })
  define(program, 'whoami', 'which daemon and which token, and what it may do')
    .helpGroup(group)
    .action(async (options) => {
      const { whoami } = await import('../identity.ts')
      await whoami(options)
    })
  const context = bare(program, 'context', 'the daemons that are known').helpGroup(group)
  define(context, 'list', 'list them').action(async (options) => {
    const { listContexts } = await import('../context.ts')
    await listContexts(options)
  })
  define(context, 'use', 'make one the current one')
    .argument('<name>', 'name of the context')
    .action(async (name, options) => {
      const { useContext } = await import('../context.ts')
      await useContext(name, options)
    })
  define(program, 'doctor', 'look for what is wrong: Node, git, ports, disk, daemon, token')
    .helpGroup(group)
    .action(async (options) => {
      const { doctor } = await import('../doctor/doctor.ts')
      await doctor(options)
    })
}

function withPlace(command: Command): Command {
  return command.option('--data-dir <folder>', 'where its data is (default: ~/.local/state/strata)')
}
