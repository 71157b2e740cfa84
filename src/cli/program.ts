import { Command } from 'commander'
import { StrataError } from '../generator/errors.ts'
import { addClientCommands } from './client/definitions/client-commands.ts'

declare const STRATA_VERSION: string

/**
 * Defines the command line. Actions import their implementation when they run, which keeps `--help` fast. Client commands
 * are defined only if the arguments may be for one of them.
 */
export function createProgram(argv: readonly string[]): Command {
  const program = new Command('strata')
    .description('Generates layered Express applications that you own, and hosts them.')
    .version(STRATA_VERSION, '-V, --version')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text) })
    .showSuggestionAfterError()
    .showHelpAfterError('(strata --help lists the commands)')

  program
    .command('init')
    .helpGroup('Generator:')
    .description('create a project')
    .argument('<project_name>', 'name of the project and its folder')
    .option('--module <module_path>', "npm package name (default: the project's name)")
    .option('--database <kind>', `store kind: ${kinds}`, 'sqlite')
    .option('--orm <library>', `library of the queries: ${libraries}`)
    .option('--auth', 'add users with registration and login, uploads and protected routes')
    .option('--no-install', 'do not run npm install')
    .option('--no-git', 'do not run git init')
    .option('--dry-run', 'print the plan without writing anything')
    .option('--json', 'print the plan as JSON and nothing else')
    .action(async (name, options) => {
      const { init } = await import('./generate/init.ts')
      await init(name, options)
    })

  const feature = program
    .command('feature')
    .helpGroup('Generator:')
    .description('add an entity with all its layers, or change its fields')
    .argument('<Entity>', 'name of the entity, for example BlogPost')
    .argument('[fields...]', 'fields as <name>:<type>[:<modifier>…]')
    .option('--fields <list>', 'fields as one list, separated by commas')
    .option(
      '--add <field...>',
      'add these fields to an existing entity, or replace those of the same name',
    )
    .option('--drop <name...>', 'drop these fields of an existing entity')
    .option('--plural <word>', 'plural of the entity')
    .option('--search <fields>', 'text fields that ?search= searches, separated by commas')
    .option(
      '--protect <routes>',
      'routes that require a token: none, write or all; admin: writes need an admin; default with --auth: write',
    )
    .option(
      '--owner <field>',
      'foreign key to User; only this user and admins may change the record; none removes the owner',
    )
    .option('--private', 'with --owner: only the owner and admins see the record')
    .option('--no-private', 'records are visible to others again')
    .option(
      '--unique <fields>',
      'fields whose values together are unique; repeatable; none',
      listed,
    )
    .option('--index <fields>', 'index of several fields; repeatable; none removes all', listed)
    .option('--alias <paths>', 'further paths of the collection, separated by commas; none')
    .option('--allow-destructive', 'allow field changes that lose stored data')
    .option('--in-two-steps', inTwoSteps)
    .addHelpText('after', fieldHelp)
  addChangeOptions(feature).action(async (entity, fields, options) => {
    const { feature } = await import('./generate/feature.ts')
    await feature(entity, fields, options)
  })

  addChangeOptions(
    program
      .command('remove')
      .helpGroup('Generator:')
      .description('remove an entity; its table stays unless --allow-destructive')
      .argument('<Entity>', 'name of the entity')
      .option('--allow-destructive', 'drop the table with all its rows too'),
  ).action(async (entity, options) => {
    const { remove } = await import('./generate/remove.ts')
    await remove(entity, options)
  })

  addChangeOptions(
    program
      .command('rename')
      .helpGroup('Generator:')
      .description('rename an entity or a field in code, API and database')
      .argument('<name>', 'entity or field: Post, or Post.title')
      .argument('<new_name>', 'new name of the entity or the field, without the entity')
      .option('--plural <word>', 'plural of the renamed entity')
      .option('--alias', 'also serve the previous path of the entity, as deprecated'),
  ).action(async (from, to, options) => {
    const { rename } = await import('./generate/rename.ts')
    await rename(from, to, options)
  })

  addChangeOptions(
    program
      .command('sync')
      .helpGroup('Generator:')
      .description('apply manual changes of strata.json to the project')
      .option('--allow-destructive', 'allow field changes that lose stored data')
      .option('--in-two-steps', inTwoSteps)
      .option('--second-step', 'complete the changes that --in-two-steps began'),
  ).action(async (options) => {
    const { sync } = await import('./generate/sync.ts')
    await sync(options)
  })

  addChangeOptions(
    program
      .command('store')
      .helpGroup('Generator:')
      .description('move the project to another kind of store')
      .argument('<kind>', kinds)
      .option('--orm <library>', `library of the queries: ${libraries}`)
      .option(
        '--allow-destructive',
        'allow changes that lose data of an earlier store of this kind',
      )
      .option('--copy', 'copy all data from the configured store to the new one, and compare both')
      .option('--to <url>', 'with --copy: the URL of the new store')
      .option('--no-install', 'do not run npm install'),
  ).action(async (kind, options) => {
    const { store } = await import('./generate/store.ts')
    await store(kind, options)
  })

  addChangeOptions(
    program
      .command('upgrade')
      .helpGroup('Generator:')
      .description('bring a project of an earlier strata to the code that this one emits')
      .option('--allow-destructive', 'allow changes that lose stored data'),
  ).action(async (options) => {
    const { upgrade } = await import('./generate/upgrade.ts')
    await upgrade(options)
  })

  program
    .command('resolve')
    .helpGroup('Generator:')
    .description('run a command that stopped at conflicts, and ask about each place')
    .argument('<command...>', 'the command with its arguments: feature Post title:string')
    .allowUnknownOption()
    .action(async (words) => {
      const { resolve } = await import('./generate/resolve.ts')
      await resolve(words, (args) => createProgram(args).parseAsync(args, { from: 'user' }))
    })

  program
    .command('check')
    .helpGroup('Generator:')
    .description('check types, lint, tests, boot, and that model, code, database and OpenAPI agree')
    .option('--json', 'print the results as JSON and nothing else')
    .action(async (options) => {
      const { check } = await import('./check/check.ts')
      await check(options)
    })

  if (mayBeClientCommand(argv)) addClientCommands(program)
  return program
}

/** Collects the values of an option that may be repeated. */
function listed(value: string, values: readonly string[] = []): string[] {
  return [...values, value]
}

/** Adds the options of every command that changes a project. */
function addChangeOptions(command: Command): Command {
  return command
    .option('--dry-run', 'print the plan without changing anything')
    .option('--database', 'with --dry-run: ask the configured database what would be lost')
    .option('--json', 'print the plan as JSON and nothing else')
    .option('--keep', 'in a conflict, keep your text')
    .option('--theirs <path...>', 'in a conflict, take the generated text of these files')
    .hook('preAction', (_, each) => {
      const { database, dryRun } = each.opts()
      if (database && !dryRun) throw new StrataError('usage', '--database needs --dry-run: add it')
    })
}

function mayBeClientCommand([first = '--help']: readonly string[]): boolean {
  if (first.startsWith('-')) return first === '--help' || first === '-h'
  return !generatorCommands.includes(first)
}

const generatorCommands: readonly string[] = [
  'init',
  'feature',
  'remove',
  'rename',
  'sync',
  'store',
  'upgrade',
  'resolve',
  'check',
]

const inTwoSteps = 'write only the part of the change that the running version survives'

const kinds =
  'sqlite, postgres, postgres-json, mysql, sqlserver, mongodb, elasticsearch or dynamodb'

const libraries = 'prisma (default), or kysely for sqlite and postgres'

const fieldHelp = `
Types:      string text int uint bool float decimal(p,s) date datetime uuid json email enum(a|b)
Modifiers:  optional unique index default=… min=… max=…
Relations:  post_id:uint:fk post_id:uint:fk:cascade 'author_id:uint:fk(User)' 'tags:many(Tag)'
Example:    strata feature Post title:string:max=120 body:text published:bool:default=false
Quote fields that contain ( ) or | so that the shell does not interpret them.`
