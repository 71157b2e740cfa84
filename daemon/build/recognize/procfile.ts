import { processNamePattern, webProcess } from '../../domain/process-names.ts'
import { DaemonError } from '../../errors.ts'
import { type StartLine, splitStartLine } from './start-line.ts'

/** The processes of a `Procfile`. */
export interface Procfile {
  readonly web: Words | null
  /** The processes beside the web process, by name. */
  readonly others: ReadonlyMap<string, Words>
  /** The names of processes that do not run, each with the reason. */
  readonly ignored: ReadonlyMap<string, string>
}

type Words = Extract<StartLine, { kind: 'words' }>

/** Parses a `Procfile`. Throws DaemonError `unprocessable` if the line of a process needs a shell. */
export function parseProcfile(text: string): Procfile {
  const lines = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const [, name, command] = /^\s*([A-Za-z0-9_-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    if (name !== undefined && command !== undefined) lines.set(name, command)
  }
  const others = new Map<string, Words>()
  const ignored = new Map<string, string>()
  for (const [name, line] of lines) {
    const why = whyIgnored(name)
    if (why !== undefined) ignored.set(name, why)
    else others.set(name, wordsOf(name, line))
  }
  const web = others.get(webProcess) ?? null
  others.delete(webProcess)
  return { web, others, ignored }
}

function whyIgnored(name: string): string | undefined {
  if (name === 'release') return 'add its command to deploy.build, or use strata run'
  if (processNamePattern.test(name)) return undefined
  return 'its name must be of lower-case letters, digits and -'
}

function wordsOf(name: string, line: string): Words {
  const words = splitStartLine(line)
  if (words.kind === 'words') return words
  throw new DaemonError(
    'unprocessable',
    `Procfile: the ${name} line ${words.why}: move it to a script, and start that script with a program such as sh`,
  )
}
