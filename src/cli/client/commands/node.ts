import { readFileSync } from 'node:fs'
import type { Node } from '../../../../daemon/client/contract.ts'
import type { CommonOptions, Session } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { codeOf } from '../errors/error-text.ts'
import { parseCount } from '../run/option-values.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { printable } from '../terminal/printable.ts'
import { styleOf } from '../terminal/style.ts'

export interface AddNodeOptions extends CommonOptions {
  readonly address?: string
  readonly tlsCa?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly reservedMemoryMb?: string
}

/** Timeout: the daemon connects to the node before it answers. */
const probeTimeoutMs = 60_000

/** Timeout: the daemon redeploys each environment of the node before it answers. */
const evacuateTimeoutMs = 1_800_000

/** `strata node add` */
export function addNode(name: string, endpoint: string, options: AddNodeOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const { address, tlsCa, tlsCert, tlsKey, reservedMemoryMb: reserved } = options
    const body = {
      name,
      endpoint,
      ...(address !== undefined && { address }),
      ...(tlsCa !== undefined && { tls_ca: readPem(tlsCa) }),
      ...(tlsCert !== undefined && { tls_cert: readPem(tlsCert) }),
      ...(tlsKey !== undefined && { tls_key: readPem(tlsKey) }),
      ...(reserved !== undefined && {
        reserved_memory_mb: parseCount('--reserved-memory-mb', reserved, 2 ** 29),
      }),
    }
    const { body: node } = await client.call(
      'registerNode',
      { body },
      { signal, timeoutMs: probeTimeoutMs },
    )
    output.result(node, () => [`node ${node.name} (${node.id}) is ${node.state}`])
  })
}

/** `strata node list` */
export function listNodes(options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const { body } = await client.call('listNodes', {}, { signal })
    output.result(body, () =>
      output.table(
        ['ID', 'NAME', 'ENDPOINT', 'STATE', 'RESERVED', 'REASON'],
        body.map((node) => [
          String(node.id),
          printable(node.name),
          printable(node.endpoint),
          output.paint(styleOf(node.state), node.state),
          `${node.reserved_memory_mb} MiB`,
          printable(node.reason ?? ''),
        ]),
      ),
    )
  })
}

/** `strata node drain`: exits with 1 if an environment could not be moved. */
export function drainNode(
  idOrName: string,
  options: CommonOptions & { readonly evacuate?: boolean },
): Promise<void> {
  const changes = { state: 'draining', ...(options.evacuate && { evacuate: true }) } as const
  return changeState(idOrName, options, changes)
}

/** `strata node activate` */
export function activateNode(idOrName: string, options: CommonOptions): Promise<void> {
  return changeState(idOrName, options, { state: 'active' })
}

/** `strata node remove` */
export function removeNode(idOrName: string, options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { id, name } = await findNode(session, idOrName)
    await client.call('removeNode', { params: { id } }, { signal })
    output.result({ id, status: 'removed' }, () => [`removed node ${name}`])
  })
}

function changeState(
  idOrName: string,
  options: CommonOptions,
  body: { readonly state: 'active' | 'draining'; readonly evacuate?: boolean },
): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { id } = await findNode(session, idOrName)
    const input = { params: { id }, body }
    const timeoutMs = body.evacuate ? evacuateTimeoutMs : probeTimeoutMs
    const { body: node } = await client.call('updateNode', input, { signal, timeoutMs })
    output.result(node, () => [
      `node ${node.name} is ${node.state}`,
      ...(body.evacuate ? [`moved: ${node.moved.join(', ') || 'nothing'}`] : []),
      ...node.stuck.map(
        ({ environment_id, reason }) => `not moved: environment ${environment_id}: ${reason}`,
      ),
    ])
    if (node.stuck.length > 0) process.exitCode = 1
  })
}

async function findNode({ client, signal }: Session, idOrName: string): Promise<Node> {
  const { body } = await client.call('listNodes', {}, { signal })
  const node = body.find(({ id, name }) => name === idOrName || String(id) === idOrName)
  if (node) return node
  throw new ClientError(
    `unknown node ${idOrName}: known are ${body.map(({ name }) => name).join(', ')}`,
    { exitCode: 2, next: ['strata node list'] },
  )
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ClientError(`${path} can't be read (${codeOf(error)})`)
  }
}
