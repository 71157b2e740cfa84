import { Command } from 'commander'
import { addClientCommands } from './client/commands/client-commands.ts'

declare const STRATA_VERSION: string

/**
 * The command line. What a command does is loaded when it runs, so that `--help` costs nothing; the client's commands are
 * left out where the arguments are for none of them.
 */
export function createProgram(argv: readonly string[]): Command {
  const program = new Command('strata')
    .description('Writes layered Express applications that you own, and hosts them.')
    .version(STRATA_VERSION, '-V, --version')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text) })
    .showSuggestionAfterError()
    .showHelpAfterError('(strata --help lists the commands)')

  program
    .command('init')
    .helpGroup('Generator:')
    .description('create a project')
    .argument('<project_name>', 'name of the project and of its folder')
    .option('--module <module_path>', "npm package name (default: the project's name)")
    .option('--database <kind>', `kind of store: ${kinds}`, 'sqlite')
    .option('--auth', 'users who register and log in, uploads, protected routes')
    .option('--no-install', 'do not run npm install')
    .option('--no-git', 'do not run git init')
    .option('--dry-run', 'show what would be written, and write nothing')
    .option('--json', 'print the plan as JSON and nothing else')
    .action(async (name, options) => {
      const { init } = await import('./init.ts')
      await init(name, options)
    })

  const feature = program
    .command('feature')
    .helpGroup('Generator:')
    .description('add an entity with all its layers, or change its fields')
    .argument('<Entity>', 'name of the entity, as BlogPost')
    .argument('[fields...]', 'fields as <name>:<type>[:<modifier>…]')
    .option('--fields <list>', 'the same as one list, separated by commas')
    .option('--plural <word>', 'plural of the entity')
    .option('--search <fields>', 'texts that ?search= looks in, separated by commas')
    .option('--protect <routes>', 'routes that need a credential: none, write or all')
    .option('--owner <field>', 'foreign key to User: only that user changes the record')
    .option('--allow-destructive', 'let a change of fields lose stored data')
    .addHelpText('after', fieldHelp)
  withResolutions(feature).action(async (entity, fields, options) => {
    const { feature } = await import('./feature.ts')
    await feature(entity, fields, options)
  })

  withResolutions(
    program
      .command('remove')
      .helpGroup('Generator:')
      .description('take an entity out again, with its table')
      .argument('<Entity>', 'name of the entity'),
  ).action(async (entity, options) => {
    const { remove } = await import('./remove.ts')
    await remove(entity, options)
  })

  withResolutions(
    program
      .command('sync')
      .helpGroup('Generator:')
      .description('write what was changed by hand in strata.json')
      .option('--allow-destructive', 'let a change of fields lose stored data'),
  ).action(async (options) => {
    const { sync } = await import('./sync.ts')
    await sync(options)
  })

  withResolutions(
    program
      .command('store')
      .helpGroup('Generator:')
      .description('move the project to another kind of store')
      .argument('<kind>', kinds)
      .option('--no-install', 'do not run npm install'),
  ).action(async (kind, options) => {
    const { store } = await import('./store.ts')
    await store(kind, options)
  })

  program
    .command('check')
    .helpGroup('Generator:')
    .description(
      'types, lint, tests and boot of the app; whether model, code, database and OpenAPI agree',
    )
    .option('--json', 'print the results as JSON and nothing else')
    .action(async (options) => {
      const { check } = await import('./check/check.ts')
      await check(options)
    })

  if (mayBeForClient(argv)) addClientCommands(program)
  return program
}

/** What a run that changes a project can be told besides. */
function withResolutions(command: Command): Command {
  return command
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--json', 'print the plan as JSON and nothing else')
    .option('--keep', 'in a conflict keep your text')
    .option('--theirs <path...>', 'in a conflict take the generated text of these files')
}

function mayBeForClient([first = '--help']: readonly string[]): boolean {
  if (first.startsWith('-')) return first === '--help' || first === '-h'
  return !generatorCommands.includes(first)
}

const generatorCommands: readonly string[] = ['init', 'feature', 'remove', 'sync', 'store', 'check']

const kinds =
  'sqlite, postgres, postgres-json, mysql, sqlserver, mongodb, elasticsearch or dynamodb'

const fieldHelp = `
Types:      string text int uint bool float decimal(p,s) date datetime uuid json email enum(a|b)
Modifiers:  optional unique index default=… min=… max=…
Relations:  author_id:uint:fk(User) post_id:uint:fk post_id:uint:fk:cascade tags:many(Tag)
Example:    strata feature Post title:string:max=120 body:text published:bool:default=false`
