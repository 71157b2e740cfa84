import type { Environment } from '../../../../daemon/client/contract.ts'
import { addressOf } from '../projects/environments.ts'
import { printable } from '../terminal/printable.ts'

/** Formats an environment as one line, without the time. */
export type ChangeLine = (environment: Environment) => string

/** Returns a function that formats the environments whose state, commit, address or reason differ from its last call. */
export function createChangeLines(): (
  environments: readonly Environment[],
  toLine: ChangeLine,
) => string[] {
  let shown = new Map<number, { readonly line: string; readonly environment: Environment }>()
  return (environments, toLine) => {
    const next = new Map(
      environments.map((environment) => [
        environment.id,
        { line: toLine(environment), environment },
      ]),
    )
    const changed = [...next].flatMap(([id, { line, environment }]) =>
      shown.get(id)?.line === line ? [] : [`${environment.updated_at}  ${line}`],
    )
    const gone = [...shown].flatMap(([id, { environment }]) =>
      next.has(id) ? [] : [`${new Date().toISOString()}  ${toLine(asGone(environment))}`],
    )
    shown = next
    return [...changed, ...gone]
  }
}

/** Formats an environment for `strata status --watch` without a terminal. `name` is the name of its project. */
export function changeLine(name: string, environment: Environment): string {
  const { id, branch, state, reason } = environment
  return [
    `environment ${id}`,
    name,
    printable(branch.name),
    branch.commit_sha.slice(0, 7),
    state,
    printable(addressOf(environment) ?? reason ?? ''),
  ]
    .join('  ')
    .trimEnd()
}

function asGone(environment: Environment): Environment {
  return { ...environment, state: 'destroyed', public_port: null, reason: null }
}
