import type { Command } from 'commander'
import { ClientError } from '../errors/client-error.ts'
import { runClient } from '../run/run-command.ts'

/** A command with its subcommands and options. */
interface CommandEntry {
  /** Words of the command, for example `env set`; `''` for strata itself. */
  readonly path: string
  readonly description: string
  readonly subcommands: readonly string[]
  /** Long options only, with the leading `--`. */
  readonly options: readonly { readonly flag: string; readonly description: string }[]
}

/** `strata completions`: prints a completion script for a shell, generated from the command definitions. */
export function completions(shell: string, program: Command): Promise<void> {
  return runClient({}, async ({ output }) => {
    const toScript = scripts[shell]
    if (!toScript) {
      throw new ClientError(`unknown shell ${shell}: expected bash, zsh or fish`, {
        next: [
          'source <(strata completions bash)',
          'source <(strata completions zsh)',
          'strata completions fish | source',
        ],
      })
    }
    await output.line(toScript(listCommands(program)))
  })
}

/** Lists a command and, recursively, its subcommands. */
function listCommands(command: Command, path = ''): CommandEntry[] {
  const subcommands = command.commands.filter((each) => each.name() !== 'help')
  const entry: CommandEntry = {
    path,
    description: command.description(),
    subcommands: subcommands.map((each) => each.name()),
    options: command.options.flatMap(({ long, description }) =>
      long ? [{ flag: long, description }] : [],
    ),
  }
  return [
    entry,
    ...subcommands.flatMap((each) => listCommands(each, `${path} ${each.name()}`.trim())),
  ]
}

const scripts: Readonly<Record<string, (entries: readonly CommandEntry[]) => string>> = {
  bash: bashScript,
  zsh: (entries) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(entries)}`,
  fish: fishScript,
}

function bashScript(entries: readonly CommandEntry[]): string {
  const cases = entries.map(({ path, subcommands, options }) => {
    const words = [...subcommands, ...options.map(({ flag }) => flag), '--help'].join(' ')
    return `    '${path}') words='${words}' ;;`
  })
  const paths = entries.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`)
  return `_strata() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' word next words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    next="\${path:+$path }$word"
    case "$next" in
      ${paths.join('|')}) path="$next" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _strata strata`
}

function fishScript(entries: readonly CommandEntry[]): string {
  const lines = entries.flatMap(({ path, subcommands, options }) => {
    const condition =
      path === '' ? '__fish_use_subcommand' : fishCondition(path.split(' '), subcommands)
    const descriptionOf = (name: string) =>
      entries.find((each) => each.path === `${path} ${name}`.trim())?.description ?? ''
    return [
      ...subcommands.map(
        (name) =>
          `complete -c strata -f -n ${quote(condition)} -a ${name} -d ${quote(descriptionOf(name))}`,
      ),
      ...options.map(
        ({ flag, description }) =>
          `complete -c strata -n ${quote(condition)} -l ${flag.slice(2)} -d ${quote(description)}`,
      ),
    ]
  })
  return lines.join('\n')
}

/** Returns a fish condition: all words of the path are on the command line, and no subcommand is. */
function fishCondition(words: readonly string[], subcommands: readonly string[]): string {
  const typed = words.map((word) => `__fish_seen_subcommand_from ${word}`)
  const not =
    subcommands.length > 0 ? [`not __fish_seen_subcommand_from ${subcommands.join(' ')}`] : []
  return [...typed, ...not].join('; and ')
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
