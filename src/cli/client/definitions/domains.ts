import type { Command } from 'commander'
import { defineCommand, defineGroup, projectOption, yesOption } from './define.ts'

/** Adds the commands for own domains. */
export function addDomainCommands(program: Command): void {
  const domain = defineGroup(program, 'domain', 'serve a project at domains of your own')
  domain.helpGroup('Settings:')
  defineCommand(domain, 'add', 'serve a branch at a domain that leads to the server')
    .argument('<domain>', 'host name, for example shop.example.com')
    .option(...projectOption)
    .option('--branch <name>', 'serve this branch; by default the default branch')
    .action(async (name, options) => {
      const { addDomain } = await import('../commands/domain.ts')
      await addDomain(name, options)
    })
  defineCommand(domain, 'list', 'list the domains with their certificates')
    .option(...projectOption)
    .action(async (options) => {
      const { listDomains } = await import('../commands/domain.ts')
      await listDomains(options)
    })
  defineCommand(domain, 'remove', 'stop serving a domain and delete its certificate')
    .argument('<domain>', 'host name')
    .option(...projectOption)
    .option(...yesOption)
    .action(async (name, options) => {
      const { removeDomain } = await import('../commands/domain.ts')
      await removeDomain(name, options)
    })
}
