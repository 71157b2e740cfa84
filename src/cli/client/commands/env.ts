import { ResponseError } from '../../../../daemon/client/errors.ts'
import type { CommonOptions, Session } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { findNamedProject, requireProject } from '../projects/projects.ts'
import { findOrRegisterProject } from '../projects/register.ts'
import { type Invocation, runWithDaemon } from '../run/run-command.ts'
import { printable } from '../terminal/printable.ts'
import { readStdin } from '../terminal/read-stdin.ts'

export interface EnvOptions extends CommonOptions {
  readonly project?: string
  readonly branch?: string
  readonly global?: boolean
}

export interface SetEnvOptions extends EnvOptions {
  /** The variables are no secrets: the daemon returns their values. */
  readonly readable?: boolean
  /** An empty standard input sets an empty value. */
  readonly allowEmpty?: boolean
}

/** Selects the apps that receive a variable. */
export type Scope =
  | { readonly kind: 'global' }
  | { readonly kind: 'project'; readonly id: number; readonly name: string }
  | { readonly kind: 'branch'; readonly id: number; readonly name: string; readonly branch: string }

/** `strata env set`: registers the folder's project if needed, so that variables exist before the first deploy. */
export function setEnv(assignments: readonly string[], options: SetEnvOptions): Promise<void> {
  return runWithDaemon(options, async (session, invocation) => {
    const { output } = session
    const values = await readValues(assignments, options, invocation)
    const scope = await chooseScope(session, options, findOrRegisterProject)
    const isReadable = options.readable === true
    for (const [name, value] of values) {
      await setVariable(session, scope, { name, value, isReadable })
    }
    const names = values.map(([name]) => name)
    output.result({ set: names, scope: scope.kind }, () => [
      `set ${names.join(', ')} ${scopeText(scope)}`,
    ])
    output.note('  running apps get the variables at their next start: strata up')
  })
}

/** Sets one variable in a scope. */
export async function setVariable(
  { client, signal }: Session,
  scope: Scope,
  { name, value, isReadable }: { name: string; value: string; isReadable: boolean },
): Promise<void> {
  // A daemon of an earlier version knows secrets only.
  const readable = isReadable ? { readable: true } : {}
  if (scope.kind === 'global') {
    await client.call('setGlobalSecret', { body: { name, value, ...readable } }, { signal })
    return
  }
  const where =
    scope.kind === 'branch'
      ? { scope: 'branch' as const, branch: scope.branch }
      : { scope: 'project' as const }
  const input = { params: { id: scope.id }, body: { name, value, ...where, ...readable } }
  await client.call('setProjectSecret', input, { signal })
}

/** `strata env list` */
export function listEnv(options: EnvOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { output } = session
    const scope = await chooseScope(session, options)
    const variables = await readVariables(session, scope)
    output.result({ secrets: variables.map(withoutAbsentValue) }, () =>
      variables.length === 0
        ? [`no variables are set ${scopeText(scope)}`]
        : output.table(
            ['NAME', 'SCOPE', 'VALUE'],
            variables.map(({ name, scope: kind, value }) => [
              name,
              kind,
              value === null ? '(secret)' : printable(value),
            ]),
          ),
    )
  })
}

function withoutAbsentValue({ name, scope, value }: Variable) {
  return { name, scope, ...(value !== null && { value }) }
}

/** `strata env delete` */
export function deleteEnv(names: readonly string[], options: EnvOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const scope = await chooseScope(session, options)
    for (const name of names) {
      if (scope.kind === 'global') {
        await client.call('removeGlobalSecret', { params: { name } }, { signal })
        continue
      }
      const query = { branch: scope.kind === 'branch' ? scope.branch : undefined }
      const input = { params: { id: scope.id, name }, query }
      await client.call('removeProjectSecret', input, { signal })
    }
    output.result({ deleted: names, scope: scope.kind }, () => [
      `deleted ${names.join(', ')} ${scopeText(scope)}`,
    ])
  })
}

/** `findHere` finds the project of the current folder if `--project` is absent. */
export async function chooseScope(
  session: Session,
  options: EnvOptions,
  findHere = async (session: Session) => (await requireProject(session, undefined)).project,
): Promise<Scope> {
  const { global, branch, project } = options
  if (global && (branch !== undefined || project !== undefined)) {
    throw new ClientError('--global cannot be combined with --project or --branch')
  }
  if (global) return { kind: 'global' }
  const { id, name } = await (project === undefined
    ? findHere(session)
    : findNamedProject(session, project))
  return branch === undefined ? { kind: 'project', id, name } : { kind: 'branch', id, name, branch }
}

export interface Variable {
  readonly name: string
  readonly scope: 'global' | 'project' | 'branch'
  /** `null` for a secret. */
  readonly value: string | null
}

/** Lists the variables of a scope. A token that may not read values, or an older daemon, gives the names alone. */
export async function readVariables(session: Session, scope: Scope): Promise<Variable[]> {
  const { client, signal } = session
  try {
    if (scope.kind === 'global') {
      return (await client.call('listGlobalVariables', {}, { signal })).body.variables
    }
    const query = { branch: scope.kind === 'branch' ? scope.branch : undefined }
    const input = { params: { id: scope.id }, query }
    return (await client.call('listProjectVariables', input, { signal })).body.variables
  } catch (error) {
    if (!(error instanceof ResponseError) || ![403, 404].includes(error.status)) throw error
    return (await readSecrets(session, scope)).map((secret) => ({ ...secret, value: null }))
  }
}

async function readSecrets({ client, signal }: Session, scope: Scope) {
  if (scope.kind === 'global') {
    return (await client.call('listGlobalSecrets', {}, { signal })).body.secrets
  }
  const { id } = scope
  const query = { branch: scope.kind === 'branch' ? scope.branch : undefined }
  const input = { params: { id }, query }
  return (await client.call('listProjectSecrets', input, { signal })).body.secrets
}

/** Parses `NAME=value` arguments, and reads the value of a single bare `NAME` from standard input. Throws ClientError. */
async function readValues(
  assignments: readonly string[],
  { allowEmpty = false }: SetEnvOptions,
  { signal }: Invocation,
): Promise<[name: string, value: string][]> {
  const bareNames = assignments.filter((text) => !text.includes('='))
  if (bareNames.length > 1) {
    throw new ClientError(`standard input can provide one value, not ${bareNames.length}`, {
      next: [
        `echo "$VALUE" | strata env set ${bareNames[0]}`,
        `strata env set ${bareNames[0]}=value`,
      ],
    })
  }
  const values: [string, string][] = []
  for (const text of assignments) {
    const at = text.indexOf('=')
    if (at >= 0) values.push([text.slice(0, at), text.slice(at + 1)])
    else values.push([text, await readValue(text, allowEmpty, signal)])
  }
  requireNames(values.map(([name]) => name))
  return values
}

/** Throws ClientError for a name that no variable can have. */
export function requireNames(names: readonly string[]): void {
  const invalid = names.find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
  if (invalid === undefined) return
  throw new ClientError(
    `invalid variable name ${JSON.stringify(invalid)}: expected letters, digits and _, not starting with a digit`,
  )
}

/** Removes the line break that `echo` appends. Throws ClientError for an empty value: a failed pipe has one, too. */
async function readValue(name: string, allowEmpty: boolean, signal: AbortSignal): Promise<string> {
  const value = (await readStdin(`value of ${name} (hidden): `, signal)).replace(/\r?\n$/, '')
  if (value !== '' || allowEmpty) return value
  throw new ClientError(`standard input has no value for ${name}: nothing was set`, {
    next: [
      `echo "$VALUE" | strata env set ${name}`,
      `strata env set ${name} --allow-empty   sets an empty value`,
    ],
  })
}

export function scopeText(scope: Scope): string {
  if (scope.kind === 'global') return 'for all apps'
  return scope.kind === 'project'
    ? `for ${scope.name}`
    : `for branch ${scope.branch} of ${scope.name}`
}
