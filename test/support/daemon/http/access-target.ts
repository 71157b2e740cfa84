import { type AccessRow, bodies, type Column } from './access-table.ts'
import type { Called, CallOptions } from './started.ts'

/** A running daemon that the table of accesses is held against. */
export interface AccessTarget {
  readonly masterToken: string
  call(method: string, path: string, options?: CallOptions): Promise<Called>
  /** Makes what a row may use up: each cell gets its own. */
  fresh(): Promise<Objects>
  /** Resolves when a token of `expires_in: "1s"` is over. */
  passOneSecond(): Promise<void>
}

/** Ids of things that are there: an environment and a queue entry of the project `id`. */
export interface Objects {
  readonly id: number
  readonly environment: number
  readonly queue: number
  /** Another project. */
  readonly outside: number
  readonly node: number
}

/** Asks for a row with a column's credential and returns the status. */
export async function statusOf(
  target: AccessTarget,
  { method, path }: AccessRow,
  column: Column,
): Promise<Called> {
  const objects = await target.fresh()
  const token = await credentialOf(target, column, objects)
  const victim = await createToken(target, { name: 'victim' })
  const id = path.startsWith('/environments/') ? objects.environment : objects.id
  const filled = path
    .replace('{id}', String(id))
    .replace('{queue}', String(objects.queue))
    .replace('{token}', String(victim.id))
    .replace('{node}', String(objects.node))
    .replace('{name}', 'KEY')
  if (path.endsWith('/{name}')) {
    const list = filled.slice(0, filled.lastIndexOf('/'))
    await target.call('POST', list, { body: { name: 'KEY', value: 'x' } })
  }
  const body = bodies[`${method} ${path}`]
  return target.call(method, filled, { token, ...(body !== undefined && { body }) })
}

async function credentialOf(
  target: AccessTarget,
  column: Column,
  { id, outside }: Objects,
): Promise<string | null> {
  const [scope, scopedRole] = column.split(' ')
  if (scope === 'scoped' || scope === 'outside') {
    const projects = [scope === 'scoped' ? id : outside]
    return (await createToken(target, { name: 'ci', role: scopedRole, projects })).token
  }
  switch (column) {
    case 'none':
      return null
    case 'wrong':
      return 'f'.repeat(64)
    case 'master':
      return target.masterToken
    case 'expired': {
      const { token } = await createToken(target, { name: 'ci', expires_in: '1s' })
      await target.passOneSecond()
      return token
    }
    case 'revoked': {
      const { id: tokenId, token } = await createToken(target, { name: 'ci' })
      await target.call('DELETE', `/tokens/${tokenId}`)
      return token
    }
    default:
      return (await createToken(target, { name: 'ci', role: column })).token
  }
}

let tokensMade = 0

async function createToken(
  target: AccessTarget,
  {
    name,
    ...rest
  }: { name: string; role?: string | undefined; projects?: number[]; expires_in?: string },
): Promise<{ id: number; token: string }> {
  tokensMade += 1
  const { status, json, text } = await target.call('POST', '/tokens', {
    body: { name: `${name}-${tokensMade}`, ...rest },
  })
  if (status !== 201) throw new Error(`no token was made: ${text}`)
  return json as { id: number; token: string }
}
