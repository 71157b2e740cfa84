import type { Selectable } from 'kysely'
import type { Node, Sealed } from '../domain/records.ts'
import type { NodeStore } from '../ports.ts'
import type { Access } from './access.ts'
import type { Publish } from './change-feed.ts'
import { allColumns, isEmpty, returnedRow, withoutNul } from './rows.ts'
import type { Changes, NodeTable } from './schema.ts'

type Reseal = (value: Sealed) => Sealed

/** `reseal` converts the private key of a node before each write. */
export function createNodeStore(
  { db, write }: Access,
  { reseal, publish }: { reseal: Reseal; publish: Publish },
): NodeStore {
  const all = () => db.selectFrom('nodes').selectAll()
  const find = async (id: number) => {
    const row = await all().where('id', '=', id).executeTakeFirst()
    return row && toNode(row)
  }

  return {
    find,

    async list() {
      return (await all().orderBy('id').execute()).map(toNode)
    },

    /** Updates the node of the same name, except its id and creation time. */
    put: (draft) =>
      write(async (db, committed) => {
        const { created_at, ...row } = toRow(draft, reseal)
        const known = db.updateTable('nodes').set(row).where('name', '=', draft.name)
        const [corrected] = await known.returningAll().execute()
        const values = allColumns<NodeTable>({ ...row, created_at })
        const insertion = db.insertInto('nodes').values(values).returningAll()
        const node = toNode(corrected ?? returnedRow(await insertion.execute()))
        committed(() => publish({ topic: 'node', node }))
        return node
      }),

    async update(id, changes) {
      if (isEmpty(changes)) return find(id)
      return write(async (db, committed) => {
        const query = db.updateTable('nodes').set(toRow(changes, reseal)).where('id', '=', id)
        const [row] = await query.returningAll().execute()
        if (!row) return undefined
        const node = toNode(row)
        committed(() => publish({ topic: 'node', node }))
        return node
      })
    },

    remove: (id) =>
      write(async (db, committed) => {
        const user = db.selectFrom('environments').select('id').where('node_id', '=', id).limit(1)
        if (await user.executeTakeFirst()) return 'in-use'
        const rows = await db.deleteFrom('nodes').where('id', '=', id).returning('id').execute()
        if (rows.length === 0) return 'absent'
        committed(() => publish({ topic: 'node_removed', id }))
        return 'removed'
      }),
  }
}

function toNode(row: Selectable<NodeTable>): Node {
  const { tls_ca: ca, tls_cert: cert, tls_key: key } = row
  return {
    id: row.id,
    name: row.name,
    endpoint: row.endpoint,
    address: row.address,
    tls: ca === null || cert === null || key === null ? null : { ca, cert, key },
    reservedMemoryMb: row.reserved_memory_mb,
    state: row.state,
    stateBeforeDown: row.state_before_down,
    reason: row.reason,
    createdAt: row.created_at,
  }
}

function toRow(node: Partial<Omit<Node, 'id'>>, reseal: Reseal): Changes<NodeTable> {
  const { tls } = node
  // `null` clears the three columns, undefined keeps them.
  const [ca, cert, key] = tls ? [tls.ca, tls.cert, reseal(tls.key)] : [tls, tls, tls]
  return {
    name: node.name,
    endpoint: node.endpoint,
    address: node.address,
    tls_ca: ca,
    tls_cert: cert,
    tls_key: key,
    reserved_memory_mb: node.reservedMemoryMb,
    state: node.state,
    state_before_down: node.stateBeforeDown,
    reason: withoutNul(node.reason),
    created_at: node.createdAt,
  }
}
