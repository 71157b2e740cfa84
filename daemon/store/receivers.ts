import { type Selectable, sql } from 'kysely'
import type { Receiver } from '../domain/receivers.ts'
import type { Sealed } from '../domain/records.ts'
import type { ReceiverStore } from '../ports.ts'
import type { Access } from './access.ts'
import { allColumns, fromJson, isEmpty, returnedRow, withoutNul } from './rows.ts'
import type { Changes, ReceiverTable } from './schema.ts'

/** `reseal` converts secrets before each write. */
export function createReceiverStore(
  { db, write }: Access,
  { reseal }: { reseal: (value: Sealed) => Sealed },
): ReceiverStore {
  const all = () => db.selectFrom('receivers').selectAll().orderBy('id')

  return {
    async find(id) {
      const row = await all().where('id', '=', id).executeTakeFirst()
      return row && toReceiver(row)
    },

    async list(projectId) {
      const query =
        projectId === null
          ? all().where('project_id', 'is', null)
          : all().where('project_id', '=', projectId)
      return (await query.execute()).map(toReceiver)
    },

    async listFor(projectId) {
      const query = all().where((of) =>
        of.or([
          of('project_id', 'is', null),
          ...(projectId === null ? [] : [of('project_id', '=', projectId)]),
        ]),
      )
      return (await query.execute()).map(toReceiver)
    },

    create: (draft) =>
      write(async (db) => {
        if (draft.kind !== 'webhook') {
          await db
            .deleteFrom('receivers')
            .where('project_id', '=', draft.projectId)
            .where(sql<boolean>`kind <> 'webhook'`)
            .execute()
        }
        const values = allColumns<ReceiverTable>(toRow(draft, reseal))
        const rows = await db.insertInto('receivers').values(values).returningAll().execute()
        return toReceiver(returnedRow(rows))
      }),

    async update(id, changes) {
      const values = toRow(changes, reseal)
      if (isEmpty(values)) return
      await write(async (db) => {
        await db.updateTable('receivers').set(values).where('id', '=', id).execute()
      })
    },

    remove: (id) =>
      write(async (db) => {
        const query = db.deleteFrom('receivers').where('id', '=', id).returning('id')
        return (await query.execute()).length > 0
      }),
  }
}

function toReceiver(row: Selectable<ReceiverTable>): Receiver {
  return {
    id: row.id,
    projectId: row.project_id,
    kind: row.kind,
    url: row.url,
    repository: row.repository,
    secret: row.secret,
    events: fromJson(row.events_json),
    createdAt: row.created_at,
    deliveredAt: row.delivered_at,
    fault: row.fault,
  }
}

function toRow(
  receiver: Partial<Omit<Receiver, 'id'>>,
  reseal: (value: Sealed) => Sealed,
): Changes<ReceiverTable> {
  const { secret, events } = receiver
  return {
    project_id: receiver.projectId,
    kind: receiver.kind,
    url: receiver.url,
    repository: receiver.repository,
    secret: secret === undefined ? undefined : reseal(secret),
    events_json: events === undefined ? undefined : JSON.stringify(events),
    created_at: receiver.createdAt,
    delivered_at: receiver.deliveredAt,
    fault: withoutNul(receiver.fault),
  }
}
