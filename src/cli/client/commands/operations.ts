import type { Command } from 'commander'
import { bare, define } from './define.ts'

/** The daemon itself: who may use it, where it runs apps, its copies. */
export function addOperationCommands(program: Command): void {
  const group = 'Operations:'
  const token = bare(program, 'token', 'named tokens (needs the master token)').helpGroup(group)
  define(token, 'create', 'make one; it is shown this once')
    .argument('<name>', 'what it is called in the audit')
    .option('--projects <ids>', 'only these projects, by id or name, separated by commas')
    .option('--role <role>', 'viewer, developer, maintainer or admin')
    .option('--expires-in <duration>', 'as 30d')
    .action(async (name, options) => {
      const { createToken } = await import('../tokens.ts')
      await createToken(name, options)
    })
  define(token, 'list', 'list them').action(async (options) => {
    const { listTokens } = await import('../tokens.ts')
    await listTokens(options)
  })
  define(token, 'revoke', 'end one')
    .argument('<id>', 'its id')
    .action(async (id, options) => {
      const { revokeToken } = await import('../tokens.ts')
      await revokeToken(id, options)
    })

  const node = bare(program, 'node', 'the machines that run apps').helpGroup(group)
  define(node, 'add', 'register one, or correct the one of this name')
    .argument('<name>', 'what it is called')
    .argument('<endpoint>', 'local, tcp://host:2376 or unix:///path')
    .option('--address <address>', 'where its apps are reached')
    .option('--tls-ca <file>', 'certificate of the authority, PEM')
    .option('--tls-cert <file>', 'certificate of the daemon, PEM')
    .option('--tls-key <file>', 'its key, PEM')
    .option('--reserved-memory-mb <count>', 'memory that apps do not get')
    .action(async (name, endpoint, options) => {
      const { addNode } = await import('../nodes.ts')
      await addNode(name, endpoint, options)
    })
  define(node, 'list', 'list them').action(async (options) => {
    const { listNodes } = await import('../nodes.ts')
    await listNodes(options)
  })
  define(node, 'drain', 'place nothing new on one')
    .argument('<node>', 'its name or id')
    .option('--evacuate', 'move what runs there to other nodes')
    .action(async (named, options) => {
      const { drainNode } = await import('../nodes.ts')
      await drainNode(named, options)
    })
  define(node, 'activate', 'use one again')
    .argument('<node>', 'its name or id')
    .action(async (named, options) => {
      const { activateNode } = await import('../nodes.ts')
      await activateNode(named, options)
    })
  define(node, 'remove', 'forget one that nothing refers to')
    .argument('<node>', 'its name or id')
    .action(async (named, options) => {
      const { removeNode } = await import('../nodes.ts')
      await removeNode(named, options)
    })

  define(program, 'stats', 'environments, memory and nodes in numbers')
    .helpGroup(group)
    .action(async (options) => {
      const { stats } = await import('../operations.ts')
      await stats(options)
    })
  const infra = define(program, 'infra', 'what the daemon needs, and what is missing')
  infra.helpGroup(group).action(async (options) => {
    const { infraStatus } = await import('../operations.ts')
    await infraStatus(options)
  })
  define(infra, 'bootstrap', 'set up what is missing; again is fine').action(async (_, command) => {
    const { infraBootstrap } = await import('../operations.ts')
    await infraBootstrap(command.optsWithGlobals())
  })
  define(infra, 'webhook', 'the address and the secret for the webhook of a git host').action(
    async (_, command) => {
      const { infraWebhook } = await import('../operations.ts')
      await infraWebhook(command.optsWithGlobals())
    },
  )
  define(program, 'backup', 'download a backup: it holds the key, keep it safe')
    .helpGroup(group)
    .argument('[file]', 'where to (default: a name with the time; - for stdout)')
    .option('--force', 'replace a file that is there')
    .action(async (file, options) => {
      const { backup } = await import('../backup.ts')
      await backup(file, options)
    })
  define(program, 'restore', 'stage a backup; the next start of the daemon applies it')
    .helpGroup(group)
    .argument('<file>', 'what strata backup wrote')
    .action(async (file, options) => {
      const { restore } = await import('../backup.ts')
      await restore(file, options)
    })
  define(program, 'rotate-key', 'encrypt all secrets with a new key')
    .helpGroup(group)
    .action(async (options) => {
      const { rotateKey } = await import('../operations.ts')
      await rotateKey(options)
    })
  bare(program, 'completions', 'print completions for a shell')
    .helpGroup(group)
    .argument('<shell>', 'bash, zsh or fish')
    .action(async (shell) => {
      const { completions } = await import('../completions.ts')
      await completions(shell, program)
    })
}
