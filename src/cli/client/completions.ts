import type { Command } from 'commander'
import { ClientError } from './client-error.ts'
import { runClient } from './run.ts'

/** A command with what can come behind it. */
export interface Completable {
  /** As `env set`; `''` for strata itself. */
  readonly path: string
  readonly description: string
  readonly commands: readonly string[]
  /** Long ones. */
  readonly options: readonly { readonly flag: string; readonly description: string }[]
}

/** `strata completions`: a script for a shell, made from the commands. */
export function completions(shell: string, program: Command): Promise<void> {
  return runClient({}, async ({ output }) => {
    const write = writers[shell]
    if (!write) {
      throw new ClientError(`there are no completions for ${shell}`, {
        next: [
          'source <(strata completions bash)',
          'source <(strata completions zsh)',
          'strata completions fish | source',
        ],
      })
    }
    await output.line(write(completables(program)))
  })
}

export function completables(command: Command, path = ''): Completable[] {
  const below = command.commands.filter((each) => each.name() !== 'help')
  const own: Completable = {
    path,
    description: command.description(),
    commands: below.map((each) => each.name()),
    options: command.options.flatMap(({ long, description }) =>
      long ? [{ flag: long, description }] : [],
    ),
  }
  return [own, ...below.flatMap((each) => completables(each, `${path} ${each.name()}`.trim()))]
}

const writers: Readonly<Record<string, (all: readonly Completable[]) => string>> = {
  bash: bashScript,
  zsh: (all) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(all)}`,
  fish: fishScript,
}

function bashScript(all: readonly Completable[]): string {
  const cases = all.map(({ path, commands, options }) => {
    const words = [...commands, ...options.map(({ flag }) => flag), '--help'].join(' ')
    return `    '${path}') words='${words}' ;;`
  })
  const paths = all.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`)
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

function fishScript(all: readonly Completable[]): string {
  const lines = all.flatMap(({ path, commands, options }) => {
    const at = path === '' ? '__fish_use_subcommand' : seen(path.split(' '), commands)
    const descriptionOf = (name: string) =>
      all.find((each) => each.path === `${path} ${name}`.trim())?.description ?? ''
    return [
      ...commands.map(
        (name) =>
          `complete -c strata -f -n ${quoted(at)} -a ${name} -d ${quoted(descriptionOf(name))}`,
      ),
      ...options.map(
        ({ flag, description }) =>
          `complete -c strata -n ${quoted(at)} -l ${flag.slice(2)} -d ${quoted(description)}`,
      ),
    ]
  })
  return lines.join('\n')
}

/** All words of a path have been typed, and none of the commands below it. */
function seen(words: readonly string[], below: readonly string[]): string {
  const typed = words.map((word) => `__fish_seen_subcommand_from ${word}`)
  const not = below.length > 0 ? [`not __fish_seen_subcommand_from ${below.join(' ')}`] : []
  return [...typed, ...not].join('; and ')
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
