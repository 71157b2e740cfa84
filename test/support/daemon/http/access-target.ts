import { type AccessRow, bodies, type Column } from './access-table.ts'
import type { Called, CallOptions } from './test-server.ts'

/** A running server that the access table is checked against. */
export interface AccessTarget {
  readonly masterToken: string
  call(method: string, path: string, options?: CallOptions): Promise<Called>
  /** A backup that `POST /backup/restore` accepts. */
  readonly backup: Uint8Array<ArrayBuffer>
  /** Expires tokens of `expires_in: "1s"`. */
  passOneSecond(): Promise<void>
}

/** Ids of existing objects. The environment and the queue entry belong to the project `id`. */
export interface Objects {
  readonly id: number
  readonly environment: number
  readonly queue: number
  /** Another project. */
  readonly outside: number
  readonly node: number
  /** Data of another branch of the project in the trash. */
  readonly trash: number
  /** Name of the project's hosted repository. */
  readonly repository: string
  /** Data of a deleted project in the trash. */
  readonly orphan: number
  /** Notifications of the project and of the server, to an address that refuses connections. */
  readonly notification: number
  readonly serverNotification: number
}

/** Sends the request of a row with the credential of a column. */
export async function request(
  target: AccessTarget,
  { method, path }: AccessRow,
  column: Column,
  objects: Objects,
): Promise<Called> {
  const token = await credentialOf(target, column, objects)
  const victim = await createToken(target, { name: 'victim' })
  const id = path.startsWith('/environments/') ? objects.environment : objects.id
  const filled = path
    .replace('{id}', String(id))
    .replace('{queue}', String(objects.queue))
    .replace('{token}', String(victim.id))
    .replace('{node}', String(objects.node))
    .replace('{trash}', String(objects.trash))
    .replace('{repository}', `${objects.repository}.git`)
    .replace('{orphan}', String(objects.orphan))
    .replace('{notification}', String(objects.notification))
    .replace('{server-notification}', String(objects.serverNotification))
    .replace('{name}', 'KEY')
    .replace('{domain}', `project-${id}.test`)
  if (path.endsWith('/{name}')) {
    const list = filled.slice(0, filled.lastIndexOf('/'))
    await target.call('POST', list, { body: { name: 'KEY', value: 'x' } })
  }
  const domain = { domain: `project-${id}.test` }
  if (/\/domains(\?|\/retry)/.test(path)) {
    await target.call('POST', filled.replace(/\/domains.*/, '/domains'), { body: domain })
  }
  if (path.endsWith('/webhook-secret') && path.startsWith('/projects')) {
    await target.call('POST', filled)
  }
  const isAddedDomain = method === 'POST' && /\/domains(\/retry)?$/.test(path)
  const body = isAddedDomain ? domain : bodies[`${method} ${path}`]
  if (path === '/backup/restore') return target.call(method, filled, { token, raw: target.backup })
  const service = /git-(upload|receive)-pack$/.exec(path)?.[0]
  if (path.startsWith('//git/') && method === 'POST') {
    const headers = { 'content-type': `application/x-${service}-request` }
    return target.call(method, filled, { token, raw: '0000', headers })
  }
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

let tokenCount = 0

async function createToken(
  target: AccessTarget,
  {
    name,
    ...rest
  }: { name: string; role?: string | undefined; projects?: number[]; expires_in?: string },
): Promise<{ id: number; token: string }> {
  tokenCount += 1
  const { status, json, text } = await target.call('POST', '/tokens', {
    body: { name: `${name}-${tokenCount}`, ...rest },
  })
  if (status !== 201) throw new Error(`POST /tokens answered ${status}: ${text}`)
  return json as { id: number; token: string }
}
