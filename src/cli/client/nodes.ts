import { readFileSync } from 'node:fs'
import type { Node } from '../../../daemon/client/contract.ts'
import { ClientError } from './client-error.ts'
import { codeOf } from './contexts.ts'
import { runWithDaemon } from './run.ts'
import type { CommonOptions, Session } from './session.ts'
import { printable } from './terminal/printable.ts'
import { styleOf } from './terminal/style.ts'
import { parseCount } from './values.ts'

export interface AddNodeOptions extends CommonOptions {
  readonly address?: string
  readonly tlsCa?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly reservedMemoryMb?: string
}

/** Moving environments deploys each anew. */
const evacuateMs = 1_800_000

/** `strata node add` */
export function addNode(name: string, endpoint: string, options: AddNodeOptions): Promise<void> {
  return runWithDaemon(options, async ({ client, output, signal }) => {
    const { address, tlsCa, tlsCert, tlsKey, reservedMemoryMb: reserved } = options
    const body = {
      name,
      endpoint,
      ...(address !== undefined && { address }),
      ...(tlsCa !== undefined && { tls_ca: read(tlsCa) }),
      ...(tlsCert !== undefined && { tls_cert: read(tlsCert) }),
      ...(tlsKey !== undefined && { tls_key: read(tlsKey) }),
      ...(reserved !== undefined && {
        reserved_memory_mb: parseCount('--reserved-memory-mb', reserved, 2 ** 29),
      }),
    }
    const options_ = { signal, timeoutMs: 60_000 }
    const { body: node } = await client.call('registerNode', { body }, options_)
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

/** `strata node drain`; 1 where something could not be moved. */
export function drainNode(
  named: string,
  options: CommonOptions & { readonly evacuate?: boolean },
): Promise<void> {
  const changes = { state: 'draining', ...(options.evacuate && { evacuate: true }) } as const
  return change(named, options, changes)
}

/** `strata node activate` */
export function activateNode(named: string, options: CommonOptions): Promise<void> {
  return change(named, options, { state: 'active' })
}

/** `strata node remove` */
export function removeNode(named: string, options: CommonOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { id, name } = await findNode(session, named)
    await client.call('removeNode', { params: { id } }, { signal })
    output.result({ id, status: 'removed' }, () => [`node ${name} is forgotten`])
  })
}

function change(
  named: string,
  options: CommonOptions,
  body: { readonly state: 'active' | 'draining'; readonly evacuate?: boolean },
): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { id } = await findNode(session, named)
    const input = { params: { id }, body }
    const timeoutMs = body.evacuate ? evacuateMs : 60_000
    const { body: node } = await client.call('updateNode', input, { signal, timeoutMs })
    output.result(node, () => [
      `node ${node.name} is ${node.state}`,
      ...(body.evacuate ? [`moved: ${node.moved.join(', ') || 'nothing'}`] : []),
      ...node.stuck.map((one) => `stuck: environment ${one.environment_id}: ${one.reason}`),
    ])
    if (node.stuck.length > 0) process.exitCode = 1
  })
}

async function findNode({ client, signal }: Session, named: string): Promise<Node> {
  const { body } = await client.call('listNodes', {}, { signal })
  const node = body.find(({ id, name }) => name === named || String(id) === named)
  if (node) return node
  throw new ClientError(
    `there is no node ${named}: there are ${body.map(({ name }) => name).join(', ')}`,
    { exitCode: 2, next: ['strata node list'] },
  )
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ClientError(`${path} can't be read (${codeOf(error)})`)
  }
}
