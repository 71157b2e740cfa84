import type { Selectable } from 'kysely'
import type { Node, Sealed } from '../domain/records.ts'
import type { NodeStore } from '../ports.ts'
import type { Access } from './access.ts'
import { allColumns, isEmpty, returnedRow, withoutNul } from './rows.ts'
import type { Changes, NodeTable } from './schema.ts'

type Reseal = (value: Sealed) => Sealed

/** `reseal` converts the private key of a node before each write. */
export function createNodeStore({ db, write }: Access, { reseal }: { reseal: Reseal }): NodeStore {
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
      write(async (db) => {
        const { created_at, ...row } = toRow(draft, reseal)
        const known = db.updateTable('nodes').set(row).where('name', '=', draft.name)
        const [corrected] = await known.returningAll().execute()
        if (corrected) return toNode(corrected)
        const values = allColumns<NodeTable>({ ...row, created_at })
        return toNode(
          returnedRow(await db.insertInto('nodes').values(values).returningAll().execute()),
        )
      }),

    async update(id, changes) {
      if (isEmpty(changes)) return find(id)
      return write(async (db) => {
        const query = db.updateTable('nodes').set(toRow(changes, reseal)).where('id', '=', id)
        const [row] = await query.returningAll().execute()
        return row && toNode(row)
      })
    },

    remove: (id) =>
      write(async (db) => {
        const user = db.selectFrom('environments').select('id').where('node_id', '=', id).limit(1)
        if (await user.executeTakeFirst()) return 'in-use'
        const rows = await db.deleteFrom('nodes').where('id', '=', id).returning('id').execute()
        return rows.length > 0 ? 'removed' : 'absent'
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
