import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import type { Sealed, SecretScope } from '../domain/records.ts'
import type { SecretStore } from '../ports.ts'
import type { Access } from './access.ts'
import type { Schema, SecretTable } from './schema.ts'

/** `reseal` converts values before each write. */
export function createSecretStore(
  { db, write }: Access,
  { reseal }: { reseal: (value: Sealed) => Sealed },
): SecretStore {
  return {
    set: ({ name, scope, value, isReadable }, at) =>
      write(async (db) => {
        const changes = {
          value: reseal(value),
          is_readable: isReadable ? 1 : 0,
          updated_at: at,
        }
        const known = await db
          .updateTable('secrets')
          .set(changes)
          .where('name', '=', name)
          .where((of) => of.and(inScope(of, scope)))
          .returning('id')
          .execute()
        if (known.length > 0) return
        const row = { name, ...columnsOf(scope), ...changes }
        await db.insertInto('secrets').values(row).execute()
      }),

    remove: (name, scope) =>
      write(async (db) => {
        const query = db.deleteFrom('secrets').where('name', '=', name)
        const removed = query.where((of) => of.and(inScope(of, scope))).returning('id')
        return (await removed.execute()).length > 0
      }),

    async list(scope) {
      const query = db.selectFrom('secrets').select('name')
      const rows = await query
        .where((of) => of.and(inScope(of, scope)))
        .orderBy('name')
        .execute()
      return rows.map(({ name }) => ({ name, scope }))
    },

    async listFor(projectId, branch) {
      const rows = await db
        .selectFrom('secrets')
        .select(['name', 'project_id', 'branch', 'value', 'is_readable'])
        .where((of) =>
          of.or([
            of.and(inScope(of, { kind: 'global' })),
            of.and(inScope(of, { kind: 'project', projectId })),
            of.and(inScope(of, { kind: 'branch', projectId, branch })),
          ]),
        )
        .execute()
      return rows
        .map((row) => ({
          name: row.name,
          scope: scopeOf(row),
          value: row.value,
          ...(row.is_readable === 1 && { isReadable: true }),
        }))
        .sort((a, b) => rank[a.scope.kind] - rank[b.scope.kind] || (a.name < b.name ? -1 : 1))
    },

    async listWithValues(scope) {
      const rows = await db
        .selectFrom('secrets')
        .select(['name', 'value', 'is_readable'])
        .where((of) => of.and(inScope(of, scope)))
        .orderBy('name')
        .execute()
      return rows.map(({ name, value, is_readable: flag }) => ({
        ...{ name, scope, value },
        ...(flag === 1 && { isReadable: true }),
      }))
    },

    removeBranch: (projectId, branch) =>
      write(async (db) => {
        const query = db.deleteFrom('secrets').where('project_id', '=', projectId)
        await query.where('branch', '=', branch).execute()
      }),
  }
}

const rank: Readonly<Record<SecretScope['kind'], number>> = { global: 0, project: 1, branch: 2 }

function columnsOf(scope: SecretScope): Pick<Selectable<SecretTable>, 'project_id' | 'branch'> {
  return {
    project_id: scope.kind === 'global' ? null : scope.projectId,
    branch: scope.kind === 'branch' ? scope.branch : null,
  }
}

function scopeOf(row: Pick<Selectable<SecretTable>, 'project_id' | 'branch'>): SecretScope {
  const { project_id: projectId, branch } = row
  if (projectId === null) return { kind: 'global' }
  return branch === null ? { kind: 'project', projectId } : { kind: 'branch', projectId, branch }
}

/** Keep the spelling of the partial indexes, or SQLite does not use them. */
function inScope(
  of: ExpressionBuilder<Schema, 'secrets'>,
  scope: SecretScope,
): Expression<SqlBool>[] {
  if (scope.kind === 'global') return [of('project_id', 'is', null)]
  const ofProject = of('project_id', '=', scope.projectId)
  return [
    ofProject,
    scope.kind === 'branch' ? of('branch', '=', scope.branch) : of('branch', 'is', null),
  ]
}
