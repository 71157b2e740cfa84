import type { Command } from 'commander'
import { define, withTarget } from './define.ts'

/** Branches: live, asleep, gone. */
export function addDeployCommands(program: Command): void {
  const group = 'Deploys:'
  define(program, 'up', 'deploy a branch, and wait until it answers')
    .helpGroup(group)
    .argument('[branch]', 'the branch (default: the one checked out)')
    .option('--project <name>', "a project by its name or id (default: this folder's)")
    .option('--remote', 'deploy what is pushed, even if the daemon is on this machine')
    .option('--no-wait', 'ask for the deploy and return')
    .option('--verbose', "show the build's output as it comes")
    .action(async (branch, options) => {
      const { up } = await import('../up/up.ts')
      await up(branch, options)
    })
  withTarget(define(program, 'down', 'stop an environment and remove it; its row stays'))
    .helpGroup(group)
    .option('--purge-secrets', 'delete the secrets of the branch too')
    .option('--everything', 'delete the whole project: all branches, settings and secrets')
    .action(async (environment, options) => {
      const { down } = await import('../lifecycle.ts')
      await down(environment, options)
    })
  withTarget(define(program, 'pause', 'put an environment to sleep; the next request wakes it'))
    .helpGroup(group)
    .action(async (environment, options) => {
      const { pause } = await import('../lifecycle.ts')
      await pause(environment, options)
    })
  withTarget(define(program, 'wake', 'start an environment that sleeps'))
    .helpGroup(group)
    .action(async (environment, options) => {
      const { wake } = await import('../lifecycle.ts')
      await wake(environment, options)
    })
  withTarget(define(program, 'rollback', 'deploy an earlier commit of a branch again'))
    .helpGroup(group)
    .option('--to <commit>', 'the commit (default: the one before the live one)')
    .action(async (environment, options) => {
      const { rollback } = await import('../lifecycle.ts')
      await rollback(environment, options)
    })
  define(program, 'status', "the branches of this folder's project, and what is under way")
    .helpGroup(group)
    .option('--project <name>', 'another project, by its name or id')
    .option('--all', 'all projects')
    .action(async (options) => {
      const { status } = await import('../status.ts')
      await status(options)
    })
  define(program, 'ps', 'the live environments of all projects')
    .helpGroup(group)
    .option('--node <id>', 'those on one node')
    .action(async (options) => {
      const { ps } = await import('../status.ts')
      await ps(options)
    })
  withTarget(define(program, 'logs', 'what an environment wrote, or its build'))
    .helpGroup(group)
    .option('-f, --follow', 'go on as it comes, over lost connections too')
    .option('-n, --lines <count>', 'how many lines (default: 200)')
    .option('-t, --timestamps', 'show when, with --follow')
    .action(async (environment, options) => {
      const { logs } = await import('../logs.ts')
      await logs(environment, options)
    })
  withTarget(define(program, 'audit', 'what happened, newest first'))
    .helpGroup(group)
    .option('--all', 'to all projects')
    .option('--since <when>', 'a time as 2026-01-31T12:00:00Z, or a duration as 2h')
    .option('--until <when>', 'the same')
    .option('--kind <kind>', 'as build_failed')
    .option('-n, --limit <count>', 'how many (default: 50)')
    .action(async (environment, options) => {
      const { audit } = await import('../audit.ts')
      await audit(environment, options)
    })
  const queue = define(program, 'queue', 'the deploys that wait or run').helpGroup(group)
  queue.action(async (options) => {
    const { listQueue } = await import('../queue.ts')
    await listQueue(options)
  })
  define(queue, 'remove', 'take out one that still waits')
    .argument('<id>', 'its id in the queue')
    .action(async (id, _, command) => {
      const { removeQueueEntry } = await import('../queue.ts')
      await removeQueueEntry(id, command.optsWithGlobals())
    })
}
