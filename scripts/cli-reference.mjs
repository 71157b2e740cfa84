// Writes docs/cli.md, the client's reference, from its commands; --check says whether it is up to date.
// Run with: node --import tsx scripts/cli-reference.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { addClientCommands } from '../src/cli/client/commands/client-commands.ts'

const path = fileURLToPath(new URL('../docs/cli.md', import.meta.url))
const program = new Command('strata')
addClientCommands(program)
const text = reference(program)

if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== text) {
    process.stderr.write(
      'docs/cli.md is not what the commands say: node --import tsx scripts/cli-reference.mjs\n',
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

/** A command, then those below it. */
function sections(command, before) {
  const name = `${before} ${command.name()}`
  const below = command.commands.filter((each) => each.name() !== 'help')
  const isGroup = below.length > 0 && command.options.length === 0
  const own = isGroup ? [] : [section(command, name)]
  return [...own, ...below.flatMap((each) => sections(each, name))]
}

function section(command, name) {
  const given = command.registeredArguments.map(argument)
  const usage = [name, ...given].join(' ')
  const rows = [
    ...command.registeredArguments.map((each) => [argument(each), each.description]),
    ...command.options
      .filter(({ long }) => long !== '--json' && long !== '--context')
      .map(({ flags, description }) => [flags, description]),
  ]
  const table = rows.map(([what, text]) => `| \`${cell(what)}\` | ${cell(text)} |`)
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

function argument(given) {
  const word = `${given.name()}${given.variadic ? '...' : ''}`
  return given.required ? `<${word}>` : `[${word}]`
}

function cell(text) {
  return text.replaceAll('|', '\\|')
}

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}.`
}

function introduction() {
  return `# The client

What \`strata\` asks of a daemon. This page is made from the commands (\`scripts/cli-reference.mjs\`).

Every command takes \`--help\`, \`--json\` (JSON on stdout and nothing else) and \`--context <name>\` (another daemon than the
current one). Results go to stdout; messages and progress to stderr.

**Which daemon.** \`--context\`, else \`STRATA_HOST\` with \`STRATA_TOKEN\`, else \`STRATA_CONTEXT\`, else the one that was logged in to
or chosen last. Addresses and tokens are kept in \`$XDG_CONFIG_HOME/strata/contexts.json\` (\`~/.config\` without it), which
only its owner can read. A token comes from standard input, and is shown by its first four characters only.

**Which environment.** A number is the id of an environment, another word a branch of the project. Nothing means the branch that
is checked out. The project is the one of the folder's repository: by its path for a daemon on this machine, by the remote
that the branch is pushed to for one elsewhere.

**Exit codes.** 0 done; 1 it failed; 2 there is no such thing (the daemon's 404); 4 the token is not valid or does not
allow it (401, 403); 130 after Ctrl-C. A deploy that was asked for goes on after Ctrl-C.

**Colours** are for terminals. \`NO_COLOR=1\` turns them off, \`FORCE_COLOR=1\` turns them on. \`STRATA_DEBUG=1\` shows where an
error came from.
`
}
