import type { Command } from 'commander'
import { defineCommand, defineGroup, projectOption, yesOption } from './define.ts'

/** Adds the commands that operate the daemon: tokens, nodes, infrastructure and backups. */
export function addOperationCommands(program: Command): void {
  const group = 'Operations:'
  const token = defineGroup(program, 'token', 'manage named tokens (needs the master token)')
  token.helpGroup(group)
  defineCommand(token, 'create', 'create a token and print it once')
    .argument('<name>', 'name of the token in the audit log')
    .option('--projects <ids>', 'limit to these projects, by id or name, separated by commas')
    .option('--role <role>', 'viewer, developer, maintainer or admin')
    .option('--expires-in <duration>', 'lifetime of the token, for example 30d')
    .action(async (name, options) => {
      const { createToken } = await import('../commands/token.ts')
      await createToken(name, options)
    })
  defineCommand(token, 'list', 'list the tokens').action(async (options) => {
    const { listTokens } = await import('../commands/token.ts')
    await listTokens(options)
  })
  defineCommand(token, 'revoke', 'revoke a token')
    .argument('<id>', 'id of the token')
    .action(async (id, options) => {
      const { revokeToken } = await import('../commands/token.ts')
      await revokeToken(id, options)
    })

  const node = defineGroup(program, 'node', 'manage the machines that run apps').helpGroup(group)
  defineCommand(node, 'add', 'register a node, or update the node of this name')
    .argument('<name>', 'name of the node')
    .argument('<endpoint>', 'local, tcp://host:2376 or unix:///path')
    .option('--address <address>', 'address at which apps on the node are reachable')
    .option('--tls-ca <file>', 'certificate of the authority (PEM)')
    .option('--tls-cert <file>', 'client certificate of the daemon (PEM)')
    .option('--tls-key <file>', 'private key of that certificate (PEM)')
    .option('--reserved-memory-mb <count>', 'memory in MiB to keep free of apps')
    .action(async (name, endpoint, options) => {
      const { addNode } = await import('../commands/node.ts')
      await addNode(name, endpoint, options)
    })
  defineCommand(node, 'list', 'list the nodes').action(async (options) => {
    const { listNodes } = await import('../commands/node.ts')
    await listNodes(options)
  })
  defineCommand(node, 'drain', 'stop placing environments on a node')
    .argument('<node>', 'name or id of the node')
    .option('--evacuate', 'also move its environments to other nodes')
    .action(async (name, options) => {
      const { drainNode } = await import('../commands/node.ts')
      await drainNode(name, options)
    })
  defineCommand(node, 'activate', 'allow a drained node to take environments again')
    .argument('<node>', 'name or id of the node')
    .action(async (name, options) => {
      const { activateNode } = await import('../commands/node.ts')
      await activateNode(name, options)
    })
  defineCommand(node, 'remove', 'unregister a node that nothing refers to')
    .argument('<node>', 'name or id of the node')
    .action(async (name, options) => {
      const { removeNode } = await import('../commands/node.ts')
      await removeNode(name, options)
    })

  defineCommand(
    program,
    'stats',
    'show counts of environments and nodes, or the week of one branch',
  )
    .helpGroup(group)
    .argument('[environment]', 'branch or environment id: its requests, errors, latency and use')
    .option('--branch <name>', 'select by branch, for a branch whose name is a number')
    .option(...projectOption)
    .action(async (environment, options) => {
      if (environment !== undefined || options.branch !== undefined) {
        const { statsOfWeek } = await import('../commands/stats-week.ts')
        await statsOfWeek(environment, options)
        return
      }
      const { stats } = await import('../commands/stats.ts')
      await stats(options)
    })
  const infra = defineCommand(program, 'infra', 'check what the daemon needs on its host')
  infra.helpGroup(group).action(async (options) => {
    const { infraStatus } = await import('../commands/infra.ts')
    await infraStatus(options)
  })
  defineCommand(infra, 'bootstrap', 'set up what is missing (idempotent)').action(
    async (_, command) => {
      const { infraBootstrap } = await import('../commands/infra.ts')
      await infraBootstrap(command.optsWithGlobals())
    },
  )
  defineCommand(
    infra,
    'webhook',
    'print the addresses and the secret for git host webhooks',
  ).action(async (_, command) => {
    const { infraWebhook } = await import('../commands/infra.ts')
    await infraWebhook(command.optsWithGlobals())
  })
  defineCommand(
    program,
    'backup',
    'download a backup with the data of all apps; it contains the encryption key',
  )
    .helpGroup(group)
    .argument('[file]', 'file to write (default: strata-backup-<time>.tar; - for stdout)')
    .option('--force', 'overwrite an existing file')
    .option('--no-data', 'leave out the data of apps: database and key of the daemon alone')
    .action(async (file, options) => {
      const { backup } = await import('../commands/backup.ts')
      await backup(file, options)
    })
  defineCommand(
    program,
    'restore',
    'stage a backup for the next daemon start (needs SERVICE_ALLOW_RESTORE=1)',
  )
    .helpGroup(group)
    .argument('<file>', 'backup file written by strata backup')
    .option(...yesOption)
    .action(async (file, options) => {
      const { restore } = await import('../commands/restore.ts')
      await restore(file, options)
    })
  defineCommand(program, 'rotate-key', 'encrypt all secrets with a new key')
    .helpGroup(group)
    .action(async (options) => {
      const { rotateKey } = await import('../commands/rotate-key.ts')
      await rotateKey(options)
    })
  defineGroup(program, 'completions', 'print a completion script for a shell')
    .helpGroup(group)
    .argument('<shell>', 'bash, zsh or fish')
    .action(async (shell) => {
      const { completions } = await import('../commands/completions.ts')
      await completions(shell, program)
    })
}
