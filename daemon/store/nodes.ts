import type { Selectable } from 'kysely'
import type { Node, Sealed } from '../domain/records.ts'
import type { NodeStore } from '../ports.ts'
import type { Access } from './access.ts'
import { isEmpty, one, whole, withoutNul } from './rows.ts'
import type { Changes, NodeTable } from './schema.ts'

type Fresh = (value: Sealed) => Sealed

/** `fresh` is what the private key of a node goes through as it is written. */
export function createNodeStore({ db, write }: Access, { fresh }: { fresh: Fresh }): NodeStore {
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

    /** A known name keeps its id and the time it was made; the rest is as the draft has it. */
    put: (draft) =>
      write(async (db) => {
        const { created_at, ...row } = toRow(draft, fresh)
        const known = db.updateTable('nodes').set(row).where('name', '=', draft.name)
        const [corrected] = await known.returningAll().execute()
        if (corrected) return toNode(corrected)
        const values = whole<NodeTable>({ ...row, created_at })
        return toNode(one(await db.insertInto('nodes').values(values).returningAll().execute()))
      }),

    async update(id, changes) {
      if (isEmpty(changes)) return find(id)
      return write(async (db) => {
        const query = db.updateTable('nodes').set(toRow(changes, fresh)).where('id', '=', id)
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

function toRow(node: Partial<Omit<Node, 'id'>>, fresh: Fresh): Changes<NodeTable> {
  const { tls } = node
  // `null` takes the three away, undefined leaves them as they are.
  const [ca, cert, key] = tls ? [tls.ca, tls.cert, fresh(tls.key)] : [tls, tls, tls]
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
