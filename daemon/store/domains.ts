import { type Selectable, sql } from 'kysely'
import type { Domain, Sealed } from '../domain/records.ts'
import type { DomainStore } from '../ports.ts'
import type { Access } from './access.ts'
import { isEmpty, returnedRow } from './rows.ts'
import type { Changes, DomainTable } from './schema.ts'

/** Version number of all domains, shared by the stores inside and outside of transactions. */
export interface DomainVersion {
  version: number
}

/** `reseal` converts private keys before each write. */
export function createDomainStore(
  { db, write }: Access,
  { reseal, counter }: { reseal: (value: Sealed) => Sealed; counter: DomainVersion },
): DomainStore {
  const all = () => db.selectFrom('domains').selectAll().orderBy('domain')

  function changed(): void {
    counter.version += 1
  }

  return {
    async find(domain) {
      const row = await all().where('domain', '=', domain).executeTakeFirst()
      return row && toDomain(row)
    },

    async list(projectId) {
      const query = projectId === null ? all() : all().where('project_id', '=', projectId)
      return (await query.execute()).map(toDomain)
    },

    async listNames(projectId, branch) {
      const rows = await db
        .selectFrom('domains')
        .innerJoin('projects', 'projects.id', 'domains.project_id')
        .select('domain')
        .where('project_id', '=', projectId)
        .where(sql<boolean>`coalesce(domains.branch, projects.default_branch) = ${branch}`)
        .orderBy('domain')
        .execute()
      return rows.map(({ domain }) => domain)
    },

    async listDue(now) {
      const query = all()
        .where('try_after', '<=', now)
        .where(
          sql<boolean>`(not_after IS NULL OR ${now} >= not_before + (not_after - not_before) * 2 / 3)`,
        )
        .clearOrderBy()
        .orderBy('failures')
        .orderBy('try_after')
      return (await query.execute()).map(toDomain)
    },

    add: ({ projectId, domain, branch, createdAt }) =>
      write(async (db, committed) => {
        const known = db.selectFrom('domains').selectAll().where('domain', '=', domain)
        const existing = await known.executeTakeFirst()
        if (existing) return toDomain(existing)
        const values = { project_id: projectId, domain, branch, created_at: createdAt }
        const rows = await db.insertInto('domains').values(values).returningAll().execute()
        const row = returnedRow(rows)
        committed(changed)
        return toDomain(row)
      }),

    async update(id, changes) {
      const values = toRow(changes, reseal)
      if (isEmpty(values)) return undefined
      return write(async (db, committed) => {
        const query = db.updateTable('domains').set(values).where('id', '=', id).returningAll()
        const [row] = await query.execute()
        if (row === undefined) return undefined
        committed(changed)
        return toDomain(row)
      })
    },

    remove: (id) =>
      write(async (db, committed) => {
        const [row] = await db.deleteFrom('domains').where('id', '=', id).returningAll().execute()
        if (row === undefined) return false
        committed(changed)
        return true
      }),

    version: () => counter.version,
  }
}

function toDomain(row: Selectable<DomainTable>): Domain {
  const { certificate: chain, certificate_key: key, not_before, not_after } = row
  const isComplete = chain !== null && key !== null && not_before !== null && not_after !== null
  return {
    id: row.id,
    projectId: row.project_id,
    domain: row.domain,
    branch: row.branch,
    createdAt: row.created_at,
    certificate: isComplete ? { chain, key, notBefore: not_before, notAfter: not_after } : null,
    fault: row.fault,
    failures: row.failures,
    tryAfter: row.try_after,
  }
}

function toRow(
  { branch, certificate, fault, failures, tryAfter }: Partial<Domain>,
  reseal: (value: Sealed) => Sealed,
): Changes<DomainTable> {
  return {
    branch,
    fault,
    failures,
    try_after: tryAfter,
    ...(certificate !== undefined && {
      certificate: certificate?.chain ?? null,
      certificate_key: certificate === null ? null : reseal(certificate.key),
      not_before: certificate?.notBefore ?? null,
      not_after: certificate?.notAfter ?? null,
    }),
  }
}
