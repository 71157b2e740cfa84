import { type Selectable, sql } from 'kysely'
import type { OutgoingMessage } from '../domain/receivers.ts'
import type { OutgoingStore } from '../ports.ts'
import type { Access } from './access.ts'
import type { OutgoingTable } from './schema.ts'

/** Calls listeners after messages are committed. Shared by the stores inside and outside of transactions. */
export interface OutgoingFeed {
  readonly listeners: (() => void)[]
}

/** Messages of one receiver that may wait. */
const maxWaiting = 200

export function createOutgoingStore({ db, write }: Access, feed: OutgoingFeed): OutgoingStore {
  return {
    add: (draft) =>
      write(async (db, committed) => {
        const { receiverId, subject } = draft
        if (subject !== null) {
          await db
            .deleteFrom('outgoing')
            .where('receiver_id', '=', receiverId)
            .where('subject', '=', subject)
            .execute()
        }
        await db
          .insertInto('outgoing')
          .values({
            receiver_id: receiverId,
            message_id: draft.messageId,
            body: draft.body,
            subject,
            created_at: draft.createdAt,
            attempts: 0,
            not_before: draft.createdAt,
          })
          .execute()
        const newest = db
          .selectFrom('outgoing')
          .select('id')
          .where('receiver_id', '=', receiverId)
          .orderBy('id', 'desc')
          .limit(maxWaiting)
        const dropped = await db
          .deleteFrom('outgoing')
          .where('receiver_id', '=', receiverId)
          .where('id', 'not in', newest)
          .returningAll()
          .execute()
        committed(() => {
          for (const listener of feed.listeners) listener()
        })
        return dropped.map(toMessage)
      }),

    async listHeads() {
      const heads = sql<number>`(SELECT id FROM (
        SELECT id, row_number() OVER (PARTITION BY receiver_id ORDER BY not_before, id) AS place FROM outgoing
      ) WHERE place = 1)`
      const query = db.selectFrom('outgoing').selectAll().where('id', 'in', heads)
      return (await query.orderBy('not_before').orderBy('id').execute()).map(toMessage)
    },

    async count(receiverId) {
      const query = db
        .selectFrom('outgoing')
        .select((of) => of.fn.countAll<number>().as('count'))
        .where('receiver_id', '=', receiverId)
      return (await query.executeTakeFirst())?.count ?? 0
    },

    async postpone(id, { attempts, notBefore }) {
      await write(async (db) => {
        const values = { attempts, not_before: notBefore }
        await db.updateTable('outgoing').set(values).where('id', '=', id).execute()
      })
    },

    remove: (id) =>
      write(async (db) => {
        const query = db.deleteFrom('outgoing').where('id', '=', id).returning('id')
        return (await query.execute()).length > 0
      }),

    async clear() {
      await write(async (db) => {
        await db.deleteFrom('outgoing').execute()
      })
    },

    onAdd: (listener) => void feed.listeners.push(listener),
  }
}

function toMessage(row: Selectable<OutgoingTable>): OutgoingMessage {
  return {
    id: row.id,
    receiverId: row.receiver_id,
    messageId: row.message_id,
    body: row.body,
    subject: row.subject,
    createdAt: row.created_at,
    attempts: row.attempts,
    notBefore: row.not_before,
  }
}
