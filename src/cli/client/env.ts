import { ClientError } from './client-error.ts'
import { findNamedProject, requireProject } from './projects.ts'
import { projectHere } from './register.ts'
import { runWithDaemon, type Surroundings } from './run.ts'
import type { CommonOptions, Session } from './session.ts'
import { readStdin } from './terminal/read-stdin.ts'

export interface EnvOptions extends CommonOptions {
  readonly project?: string
  readonly branch?: string
  readonly global?: boolean
}

/** Where a secret holds. */
type Scope =
  | { readonly kind: 'global' }
  | { readonly kind: 'project'; readonly id: number; readonly name: string }
  | { readonly kind: 'branch'; readonly id: number; readonly name: string; readonly branch: string }

/** `strata env set`: before the first deploy too, so that it finds what it needs. */
export function setEnv(given: readonly string[], options: EnvOptions): Promise<void> {
  return runWithDaemon(options, async (session, surroundings) => {
    const { client, output, signal } = session
    const values = await readValues(given, surroundings)
    const scope = await chooseScope(session, options, projectHere)
    for (const [name, value] of values) {
      if (scope.kind === 'global') {
        await client.call('setGlobalSecret', { body: { name, value } }, { signal })
        continue
      }
      const where =
        scope.kind === 'branch'
          ? { scope: 'branch' as const, branch: scope.branch }
          : { scope: 'project' as const }
      const input = { params: { id: scope.id }, body: { name, value, ...where } }
      await client.call('setProjectSecret', input, { signal })
    }
    const names = values.map(([name]) => name)
    output.result({ set: names, scope: scope.kind }, () => [
      `set ${names.join(', ')} ${scopeText(scope)}`,
    ])
    output.note('  apps have it from their next start on: strata up')
  })
}

/** `strata env list` */
export function listEnv(options: EnvOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { output } = session
    const scope = await chooseScope(session, options)
    const secrets = await read(session, scope)
    output.result({ secrets }, () =>
      secrets.length === 0
        ? [`nothing is set ${scopeText(scope)}`]
        : output.table(
            ['NAME', 'SCOPE'],
            secrets.map(({ name, scope: kind }) => [name, kind]),
          ),
    )
  })
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

/** `here` finds the project of the folder. */
async function chooseScope(
  session: Session,
  options: EnvOptions,
  here = async (session: Session) => (await requireProject(session, undefined)).project,
): Promise<Scope> {
  const { global, branch, project: named } = options
  if (global && (branch !== undefined || named !== undefined)) {
    throw new ClientError('--global goes with neither --project nor --branch')
  }
  if (global) return { kind: 'global' }
  const { id, name } = await (named === undefined
    ? here(session)
    : findNamedProject(session, named))
  return branch === undefined ? { kind: 'project', id, name } : { kind: 'branch', id, name, branch }
}

async function read({ client, signal }: Session, scope: Scope) {
  if (scope.kind === 'global') {
    return (await client.call('listGlobalSecrets', {}, { signal })).body.secrets
  }
  const { id } = scope
  const query = { branch: scope.kind === 'branch' ? scope.branch : undefined }
  const input = { params: { id }, query }
  return (await client.call('listProjectSecrets', input, { signal })).body.secrets
}

/** What stands on the command line, and for a name alone what standard input gives. Throws ClientError. */
async function readValues(
  given: readonly string[],
  { signal }: Surroundings,
): Promise<[name: string, value: string][]> {
  const alone = given.filter((text) => !text.includes('='))
  if (alone.length > 1) {
    throw new ClientError(`only one value can come from standard input, not ${alone.length}`, {
      next: [`echo "$VALUE" | strata env set ${alone[0]}`, `strata env set ${alone[0]}=value`],
    })
  }
  const values: [string, string][] = []
  for (const text of given) {
    const at = text.indexOf('=')
    if (at >= 0) values.push([text.slice(0, at), text.slice(at + 1)])
    else values.push([text, await readValue(text, signal)])
  }
  const bad = values.find(([name]) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
  if (!bad) return values
  throw new ClientError(
    `${JSON.stringify(bad[0])} can't be the name of a variable: letters, digits and _, not a digit first`,
  )
}

/** The line's end that `echo` adds is no part of a value. */
async function readValue(name: string, signal: AbortSignal): Promise<string> {
  return (await readStdin(`value of ${name} (not shown): `, signal)).replace(/\r?\n$/, '')
}

function scopeText(scope: Scope): string {
  if (scope.kind === 'global') return 'for all apps'
  return scope.kind === 'project'
    ? `for ${scope.name}`
    : `for branch ${scope.branch} of ${scope.name}`
}
