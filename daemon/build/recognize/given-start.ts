import type { DeploySection } from '../strata-json-deploy.ts'
import type { AppFiles } from './app-files.ts'
import type { Start } from './candidate.ts'
import { parseProcfile } from './procfile.ts'

/** The start command that a repository names itself. */
export interface GivenStart {
  readonly start: Start | null
  /** Variables that the start command sets before its program. */
  readonly env: Readonly<Record<string, string>>
  readonly reasons: readonly string[]
}

/** Returns the start command of `strata.json`, else of the `web` line of a Procfile. */
export function givenStart({ texts }: AppFiles, section: DeploySection): GivenStart {
  if (section.start) {
    const { argv, hasVariables, env } = section.start
    return {
      start: { argv, hasVariables },
      env,
      reasons: ['the start command is deploy.start in strata.json'],
    }
  }
  const text = texts.get('Procfile')
  if (text === undefined) return { start: null, env: {}, reasons: [] }
  const { web, others } = parseProcfile(text)
  const reasons = [
    web === null ? 'Procfile has no web line' : 'the start command is the web line of Procfile',
    ...others.map(
      (name) => `Procfile: ${name} does not run, because strata runs the web line alone`,
    ),
  ]
  if (web === null) return { start: null, env: {}, reasons }
  const { argv, hasVariables, env } = web
  return { start: { argv, hasVariables }, env, reasons }
}
