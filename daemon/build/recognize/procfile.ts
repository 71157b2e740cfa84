import { DaemonError } from '../../errors.ts'
import { type StartLine, splitStartLine } from './start-line.ts'

/** The processes of a `Procfile`. */
export interface Procfile {
  readonly web: Extract<StartLine, { kind: 'words' }> | null
  /** The names of the other processes, which do not run. */
  readonly others: readonly string[]
}

/** Parses a `Procfile`. Throws DaemonError `unprocessable` if its `web` line needs a shell. */
export function parseProcfile(text: string): Procfile {
  const processes = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const [, name, command] = /^\s*([A-Za-z0-9_-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    if (name !== undefined && command !== undefined) processes.set(name, command)
  }
  const line = processes.get('web')
  processes.delete('web')
  const others = [...processes.keys()]
  if (line === undefined) return { web: null, others }
  const web = splitStartLine(line)
  if (web.kind === 'words') return { web, others }
  throw new DaemonError(
    'unprocessable',
    `Procfile: the web line ${web.why}: move it to a script, and start that script with a program such as sh`,
  )
}
