import type { Selectable } from 'kysely'
import type { Token } from '../domain/records.ts'
import type { TokenStore } from '../ports.ts'
import type { Access } from './access.ts'
import type { Publish } from './change-feed.ts'
import { fromJson, returnedRow } from './rows.ts'
import type { TokenTable } from './schema.ts'

export function createTokenStore({ db, write }: Access, publish: Publish): TokenStore {
  const all = () => db.selectFrom('tokens').selectAll()
  return {
    async findByHash(hash) {
      const row = await all().where('hash', '=', hash).executeTakeFirst()
      return row && toToken(row)
    },

    async list() {
      return (await all().orderBy('id').execute()).map(toToken)
    },

    create: (draft) =>
      write(async (db, committed) => {
        const row = {
          name: draft.name,
          hash: draft.hash,
          projects_json: draft.projects && JSON.stringify(draft.projects),
          role: draft.role,
          expires_at: draft.expiresAt,
          revoked_at: draft.revokedAt,
          created_at: draft.createdAt,
        }
        const token = toToken(
          returnedRow(await db.insertInto('tokens').values(row).returningAll().execute()),
        )
        committed(() => publish({ topic: 'token', token }))
        return token
      }),

    revoke: (id, at) =>
      write(async (db, committed) => {
        const query = db.updateTable('tokens').set({ revoked_at: at }).where('id', '=', id)
        const [row] = await query.where('revoked_at', 'is', null).returningAll().execute()
        if (!row) return false
        committed(() => publish({ topic: 'token', token: toToken(row) }))
        return true
      }),
  }
}

function toToken(row: Selectable<TokenTable>): Token {
  return {
    id: row.id,
    name: row.name,
    hash: row.hash,
    projects: row.projects_json === null ? null : fromJson(row.projects_json),
    role: row.role,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    createdAt: row.created_at,
  }
}
