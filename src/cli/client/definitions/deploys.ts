import type { Command } from 'commander'
import { addTargetOptions, defineCommand, defineGroup, projectOption, yesOption } from './define.ts'

const watchOption = [
  '-w, --watch',
  'show the result again after each change, until Ctrl-C; prints changes as lines without a terminal',
] as const

/** Adds the commands that deploy branches and manage the environments of those deploys. */
export function addDeployCommands(program: Command): void {
  const group = 'Deploys:'
  defineCommand(program, 'up', 'deploy a branch and wait until it answers')
    .helpGroup(group)
    .argument('[branch]', 'branch to deploy (default: the checked-out branch)')
    .option(...projectOption)
    .option('--remote', 'deploy the pushed commit, even if the daemon is on this machine')
    .option('--no-wait', 'queue the deploy and return')
    .option('--verbose', 'print the output of the build as it arrives')
    .action(async (branch, options) => {
      const { up } = await import('../up/up.ts')
      await up(branch, options)
    })
  addTargetOptions(
    defineCommand(
      program,
      'down',
      'stop and remove an environment; its history stays, and its data moves to the trash. Asks first on a terminal',
    ),
  )
    .helpGroup(group)
    .option('--purge-secrets', 'also delete the secrets of the branch')
    .option('--purge-data', 'delete the data for good, also older data of the branch in the trash')
    .option('--everything', 'delete the whole project: all branches, settings and secrets')
    .option(...yesOption)
    .action(async (environment, options) => {
      const { down } = await import('../commands/down.ts')
      await down(environment, options)
    })
  addRemoteCommands(program, group)
  addTrashCommands(program, group)
  addTargetOptions(
    defineCommand(program, 'pause', 'put an environment to sleep; the next request wakes it'),
  )
    .helpGroup(group)
    .action(async (environment, options) => {
      const { pause } = await import('../commands/pause.ts')
      await pause(environment, options)
    })
  addTargetOptions(defineCommand(program, 'wake', 'start a sleeping environment'))
    .helpGroup(group)
    .action(async (environment, options) => {
      const { wake } = await import('../commands/wake.ts')
      await wake(environment, options)
    })
  addTargetOptions(defineCommand(program, 'rollback', 'redeploy an earlier commit of a branch'))
    .helpGroup(group)
    .option('--to <commit>', 'commit to deploy (default: the commit before the live one)')
    .option('--over-migrations', 'also if the commit lacks migrations that have run on the data')
    .action(async (environment, options) => {
      const { rollback } = await import('../commands/rollback.ts')
      await rollback(environment, options)
    })
  addTargetOptions(
    defineCommand(program, 'open', 'print the address of an environment and open it in a browser'),
  )
    .helpGroup(group)
    .option('--no-browser', 'print the address only')
    .action(async (environment, options) => {
      const { open } = await import('../commands/open.ts')
      await open(environment, options)
    })
  defineCommand(program, 'status', "show the branches and the queue of this folder's project")
    .helpGroup(group)
    .option('--project <name>', 'name or id of another project')
    .option('--all', 'show all projects')
    .option(...watchOption)
    .action(async (options) => {
      const { status } = await import('../commands/status.ts')
      await status(options)
    })
  defineCommand(program, 'ps', 'list the live environments of all projects')
    .helpGroup(group)
    .option('--node <id>', 'only environments on this node')
    .option(...watchOption)
    .action(async (options) => {
      const { ps } = await import('../commands/ps.ts')
      await ps(options)
    })
  addTargetOptions(defineCommand(program, 'logs', 'print the log of an environment or its build'))
    .helpGroup(group)
    .option('-f, --follow', 'print new lines as they arrive; reconnects if the connection drops')
    .option('-n, --lines <count>', 'number of lines (default: 200)')
    .option('-t, --timestamps', 'print the time of each line (with --follow)')
    .option('--process <name>', 'log of another process than web, for example worker')
    .action(async (environment, options) => {
      const { logs } = await import('../commands/logs.ts')
      await logs(environment, options)
    })
  addRunCommand(program, group)
  addTargetOptions(
    defineCommand(
      program,
      'cron',
      'list the schedules of an environment, their next and last runs',
    ),
  )
    .helpGroup(group)
    .action(async (environment, options) => {
      const { cron } = await import('../commands/cron.ts')
      await cron(environment, options)
    })
  addTargetOptions(defineCommand(program, 'audit', 'list audit events, newest first'))
    .helpGroup(group)
    .option('--all', 'events of all projects')
    .option('--since <when>', 'earliest time: 2026-01-31T12:00:00Z, or a duration ago: 2h')
    .option('--until <when>', 'latest time, in the same formats')
    .option('--kind <kind>', 'only this kind of event, for example build_failed')
    .option('-n, --limit <count>', 'number of events (default: 50)')
    .action(async (environment, options) => {
      const { audit } = await import('../commands/audit.ts')
      await audit(environment, options)
    })
  const queue = defineCommand(program, 'queue', 'list the waiting and running deploys')
  queue.helpGroup(group).action(async (options) => {
    const { listQueue } = await import('../commands/queue.ts')
    await listQueue(options)
  })
  defineCommand(queue, 'remove', 'remove a waiting deploy from the queue')
    .argument('<id>', 'id of the queue entry')
    .action(async (id, _, command) => {
      const { removeQueueEntry } = await import('../commands/queue.ts')
      await removeQueueEntry(id, command.optsWithGlobals())
    })
}

/** Adds the command that runs other commands: its options come before the command. */
function addRunCommand(program: Command, group: string): void {
  // Passes the options behind a command on to it.
  program.enablePositionalOptions()
  defineGroup(program, 'run', 'run a command beside an app, with its files, variables and data')
    .helpGroup(group)
    .argument('<command...>', 'program and arguments; no shell reads them')
    .option(
      '-e, --environment <name>',
      'branch or environment id (default: the checked-out branch)',
    )
    .option(...projectOption)
    .option('--timeout <duration>', 'end the command after this time, at most 24h (default: 1h)')
    .option('--context <name>', 'context of the daemon to use')
    .passThroughOptions()
    .addHelpText('after', '\nExample:  strata run -e main node scripts/import.js < rows.csv')
    .action(async (command, options) => {
      const { run } = await import('../commands/run.ts')
      await run(command, options)
    })
}

/** Adds the commands for repositories that the daemon hosts. */
function addRemoteCommands(program: Command, group: string): void {
  const remote = defineGroup(program, 'remote', 'deploy with git push').helpGroup(group)
  defineCommand(
    remote,
    'add',
    'add a git remote: the daemon hosts the repository, and git push deploys',
  )
    .argument('[name]', 'name of the remote', 'strata')
    .option('--project <name>', 'name of the hosted repository (default: the name of the folder)')
    .action(async (name, options) => {
      const { addRemote } = await import('../commands/remote.ts')
      await addRemote(name, options)
    })
  defineCommand(program, 'git-credential', 'answer git with the token of a hosted repository')
    .helpGroup(group)
    .argument('<action>', 'get, store or erase')
    .action(async (action, options) => {
      const { gitCredential } = await import('../commands/git-credential.ts')
      await gitCredential(action, options)
    })
}

function addTrashCommands(program: Command, group: string): void {
  const trash = defineGroup(program, 'trash', 'manage the data of destroyed branches')
  trash.helpGroup(group)
  defineCommand(trash, 'list', 'list the data in the trash, newest first')
    .option('--project <name>', 'only of this project, by name or id; deleted projects too')
    .action(async (options) => {
      const { listTrash } = await import('../commands/trash.ts')
      await listTrash(options)
    })
  defineCommand(trash, 'restore', 'move data back to its branch, which must have none')
    .argument('<id>', 'id of the trash entry')
    .option('--project <name>', 'name or id of the project that gets the data of a deleted project')
    .action(async (id, options) => {
      const { restoreTrash } = await import('../commands/trash.ts')
      await restoreTrash(id, options)
    })
  defineCommand(trash, 'purge', 'delete data in the trash for good. Asks first on a terminal')
    .argument('<id>', 'id of the trash entry')
    .option(...yesOption)
    .action(async (id, options) => {
      const { purgeTrash } = await import('../commands/trash.ts')
      await purgeTrash(id, options)
    })
}
