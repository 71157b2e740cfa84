// Writes docs/cli.md, the reference of the client commands, from their definitions. With --check, compares instead.
// Run with: node --import tsx scripts/cli-reference.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { addClientCommands } from '../src/cli/client/definitions/client-commands.ts'

const path = fileURLToPath(new URL('../docs/cli.md', import.meta.url))
const program = new Command('strata')
addClientCommands(program)
const text = reference(program)

if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== text) {
    process.stderr.write(
      'docs/cli.md is outdated: run node --import tsx scripts/cli-reference.mjs\n',
    )
    process.exitCode = 1
  }
} else {
  writeFileSync(path, text)
}

function reference(root) {
  const chapters = [...grouped(root.commands)].map(
    ([title, commands]) =>
      `## ${title.replace(/:$/, '')}\n\n${commands.flatMap((each) => sections(each, 'strata')).join('\n')}`,
  )
  return `${introduction()}\n${chapters.join('\n')}`
}

function grouped(commands) {
  const groups = new Map()
  for (const command of commands) {
    const title = command.helpGroup()
    groups.set(title, [...(groups.get(title) ?? []), command])
  }
  return groups
}

/** Renders a command, then its subcommands. */
function sections(command, parentName) {
  const name = `${parentName} ${command.name()}`
  const subcommands = command.commands.filter((each) => each.name() !== 'help')
  const isGroup = subcommands.length > 0 && command.options.length === 0
  const own = isGroup ? [] : [section(command, name)]
  return [...own, ...subcommands.flatMap((each) => sections(each, name))]
}

function section(command, name) {
  const usage = [name, ...command.registeredArguments.map(argument)].join(' ')
  const rows = [
    ...command.registeredArguments.map((each) => [argument(each), each.description]),
    ...command.options
      .filter(({ long }) => long !== '--json' && long !== '--context')
      .map(({ flags, description }) => [flags, description]),
  ]
  const table = rows.map(([syntax, text]) => `| \`${cell(syntax)}\` | ${cell(text)} |`)
  return [
    `### ${name}`,
    '',
    sentence(command.description()),
    '',
    '```text',
    usage,
    '```',
    '',
    ...(rows.length > 0 ? ['| | |', '|---|---|', ...table, ''] : []),
  ].join('\n')
}

function argument(definition) {
  const word = `${definition.name()}${definition.variadic ? '...' : ''}`
  return definition.required ? `<${word}>` : `[${word}]`
}

function cell(text) {
  return text.replaceAll('|', '\\|')
}

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}.`
}

function introduction() {
  return `# Client commands

Reference of the \`strata\` commands that talk to a daemon. \`scripts/cli-reference.mjs\` generates this page from the command
definitions.

Every command accepts these options, except that \`completions\` accepts \`--help\` only:

| | |
|---|---|
| \`--help\` | print the usage of the command |
| \`--json\` | print JSON on stdout and nothing else |
| \`--context <name>\` | use the daemon of this context instead of the current one |

Results go to stdout, messages and progress to stderr.

**Selecting a daemon.** A context is the address and the token of a daemon, stored under a name. A command uses, in this order:

1. the context of \`--context\`
2. the address in \`STRATA_HOST\`, with the token in \`STRATA_TOKEN\`
3. the context in \`STRATA_CONTEXT\`
4. the current context, which \`strata login\`, \`strata daemon start\` and \`strata context use\` set

Contexts are stored in \`$XDG_CONFIG_HOME/strata/contexts.json\` (default: \`~/.config/strata/contexts.json\`), readable by their
owner only. \`strata login\` reads the token from standard input. Output shows only the first four characters of a token.

**Selecting an environment.** A numeric argument is the id of an environment. Any other argument is a branch of the project.
Without an argument, the command uses the checked-out branch. The project is the one of the current folder's git
repository. A daemon on this machine finds the project by the path of the repository. A daemon on another machine finds it
by the URL of the remote that the branch is pushed to.

**Exit codes.**

| Code | Meaning |
|---|---|
| 0 | success |
| 1 | failure, including wrong usage |
| 2 | not found (HTTP 404) |
| 4 | token missing, invalid or not sufficient (HTTP 401, 403) |
| 130 | interrupted by Ctrl-C; a requested deploy continues |

**Colors.** Output is colored on a terminal only. \`NO_COLOR=1\` turns colors off, \`FORCE_COLOR=1\` turns them on. With
\`STRATA_DEBUG=1\`, an error prints its stack.
`
}
