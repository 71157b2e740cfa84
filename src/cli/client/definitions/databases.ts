import type { Command } from 'commander'
import { defineCommand, defineGroup, projectOption, yesOption } from './define.ts'

/** Adds the commands for the databases that the daemon makes for branches. */
export function addDatabaseCommands(program: Command): void {
  const db = defineGroup(program, 'db', 'manage the databases of branches').helpGroup('Deploys:')
  const branch = ['[branch]', 'branch (default: the checked-out branch)'] as const
  defineCommand(db, 'list', 'list the databases of the project')
    .option(...projectOption)
    .action(async (options) => {
      const { listDatabases } = await import('../commands/db.ts')
      await listDatabases(options)
    })
  defineCommand(db, 'url', 'print the URL of a database with its password (needs an admin token)')
    .argument(...branch)
    .option(...projectOption)
    .action(async (name, options) => {
      const { showUrl } = await import('../commands/db.ts')
      await showUrl(name, options)
    })
  defineCommand(db, 'shell', 'open psql or mariadb on a database (needs an admin token)')
    .argument(...branch)
    .option(...projectOption)
    .action(async (name, options) => {
      const { openShell } = await import('../commands/db.ts')
      await openShell(name, options)
    })
  defineCommand(db, 'dump', 'download a dump of a database, as of one instant')
    .argument(...branch)
    .option('--output <file>', 'file to write (default: <branch>.dump)')
    .option(...projectOption)
    .action(async (name, options) => {
      const { dumpDatabase } = await import('../commands/db.ts')
      await dumpDatabase(name, options)
    })
  defineCommand(
    db,
    'restore',
    "replace a branch's data by a dump; the present data goes to the trash",
  )
    .argument('<file>', 'file written by strata db dump')
    .argument(...branch)
    .option(...projectOption)
    .option(...yesOption)
    .action(async (file, name, options) => {
      const { restoreDatabase } = await import('../commands/db.ts')
      await restoreDatabase(file, name, options)
    })
  defineCommand(
    db,
    'copy',
    "replace a branch's data by another branch's; the present data goes to the trash",
  )
    .argument('<from>', 'branch to copy')
    .argument('<to>', 'branch whose data is replaced')
    .option(...projectOption)
    .option(...yesOption)
    .action(async (from, to, options) => {
      const { copyDatabase } = await import('../commands/db.ts')
      await copyDatabase(from, to, options)
    })
}
