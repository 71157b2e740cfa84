import type { LaunchProcess } from '../../domain/records.ts'
import type { DeploySection } from '../strata-json-deploy.ts'
import type { AppFiles } from './app-files.ts'
import type { Start } from './candidate.ts'
import { parseProcfile } from './procfile.ts'

/** The start command and the other processes that a repository names itself. */
export interface GivenStart {
  readonly start: Start | null
  /** Variables that the start command sets before its program. */
  readonly env: Readonly<Record<string, string>>
  readonly processes: readonly LaunchProcess[]
  readonly reasons: readonly string[]
}

/** Returns the start command of `strata.json`, else of the `web` line of a Procfile, and the processes of both. */
export function givenStart({ texts }: AppFiles, section: DeploySection): GivenStart {
  const text = texts.get('Procfile')
  const procfile = text === undefined ? undefined : parseProcfile(text)
  const own = section.processes ?? {}
  const inherited = [...(procfile?.others ?? [])].filter(([name]) => !(name in own))
  const processes = [...inherited.map(([name, words]) => processOf(name, words)), ...ownOf(section)]
  const notes = [...(procfile?.ignored ?? [])].map(
    ([name, why]) => `Procfile: ${name} does not run: ${why}`,
  )
  if (section.start) {
    const { argv, hasVariables, env } = section.start
    const reasons = ['the start command is deploy.start in strata.json', ...notes]
    return { start: { argv, hasVariables }, env, processes, reasons }
  }
  if (!procfile) return { start: null, env: {}, processes, reasons: [] }
  if (procfile.web === null) {
    return { start: null, env: {}, processes, reasons: ['Procfile has no web line', ...notes] }
  }
  const { argv, hasVariables, env } = procfile.web
  const reasons = ['the start command is the web line of Procfile', ...notes]
  return { start: { argv, hasVariables }, env, processes, reasons }
}

/** Returns the processes of `strata.json` alone. */
export function ownOf({ processes = {} }: DeploySection): LaunchProcess[] {
  return Object.entries(processes).map(([name, command]) => processOf(name, command))
}

function processOf(
  name: string,
  { argv, hasVariables, env }: Start & Pick<GivenStart, 'env'>,
): LaunchProcess {
  return {
    ...{ name, start: argv },
    ...(hasVariables && { startHasVariables: true }),
    ...(Object.keys(env).length > 0 && { env }),
  }
}
