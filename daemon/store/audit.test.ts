import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { auditDraft } from '../../test/support/daemon/store/record-drafts.ts'
import { tempFolder, tempStore } from '../../test/support/daemon/store/temp-store.ts'
import { type AuditEntry, auditKinds } from '../domain/records.ts'
import type { AuditFilter } from '../ports.ts'

test('lists the audit records that match the filter, newest first', async () => {
  const { audit } = await tempStore()
  const rows: AuditEntry[] = []
  for (let id = 1; id <= 120; id += 1) {
    const entry = auditDraft({
      environmentId: id % 7 === 0 ? null : id % 7,
      projectId: id % 5 === 0 ? null : id % 5,
      branch: ['main', 'next', null][id % 3] ?? null,
      kind: auditKinds[id % 4] ?? 'paused',
      occurredAt: 1_000 + ((id * 37) % 90),
    })
    await audit.write(entry)
    rows.push({ ...entry, id })
  }
  const some = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        environmentId: some(fc.integer({ min: 1, max: 7 })),
        projectId: some(fc.integer({ min: 1, max: 5 })),
        projectIds: some(fc.uniqueArray(fc.integer({ min: 1, max: 5 }))),
        branch: some(fc.constantFrom('main', 'next')),
        kind: some(fc.constantFrom(...auditKinds.slice(0, 4))),
        since: some(fc.integer({ min: 990, max: 1_100 })),
        until: some(fc.integer({ min: 990, max: 1_100 })),
        limit: fc.integer({ min: 1, max: 60 }),
      }),
      async (filter) => {
        const given = Object.fromEntries(
          Object.entries(filter).filter(([, value]) => value !== undefined),
        ) as unknown as AuditFilter
        const expected = rows
          .filter((row) => matches(row, given))
          .sort((a, b) => b.occurredAt - a.occurredAt || b.id - a.id)
          .slice(0, given.limit)
        expect(await audit.list(given)).toEqual(expected)
      },
    ),
    { numRuns: 300 },
  )
})

test('every audit filter uses an index that yields the records in order, without sorting', async () => {
  const file = join(tempFolder(), 'database.sqlite')
  const { audit } = await tempStore(file)
  const filters: Omit<AuditFilter, 'limit'>[] = [
    {},
    { environmentId: 1 },
    { projectId: 1 },
    { projectId: 1, branch: 'main' },
    { projectId: 1, kind: 'paused' },
    { branch: 'main' },
    { kind: 'paused' },
    { since: 1, until: 2 },
    { projectId: 1, since: 1, until: 2 },
    { kind: 'paused', since: 1 },
  ]
  const raw = new DatabaseSync(file, { readOnly: true })
  const order = 'ORDER BY occurred_at DESC, id DESC LIMIT 50'
  for (const filter of filters) {
    expect(await audit.list({ ...filter, limit: 50 })).toEqual([])
    const words = Object.entries(filter).map(([name, value]) => `${columns[name]} '${value}'`)
    const where = words.length > 0 ? `WHERE ${words.join(' AND ')}` : ''
    const plan = raw
      .prepare(`EXPLAIN QUERY PLAN SELECT * FROM audit ${where} ${order}`)
      .all()
      .map(({ detail }) => detail)
      .join('; ')
    expect(plan).toMatch(/USING INDEX audit_by/)
    expect(plan).not.toMatch(/TEMP B-TREE/)
    const equal = words.filter((word) => word.includes(' = ')).length
    expect(plan.match(/[a-z_]+=\?/g) ?? []).toHaveLength(equal)
  }
  raw.close()
})

const columns: Readonly<Record<string, string>> = {
  environmentId: 'environment_id =',
  projectId: 'project_id =',
  branch: 'branch =',
  kind: 'kind =',
  since: 'occurred_at >=',
  until: 'occurred_at <=',
}

function matches(row: AuditEntry, filter: AuditFilter): boolean {
  const { environmentId, projectId, projectIds, branch, kind, since, until } = filter
  return (
    (environmentId === undefined || row.environmentId === environmentId) &&
    (projectId === undefined || row.projectId === projectId) &&
    (projectIds === undefined || (row.projectId !== null && projectIds.includes(row.projectId))) &&
    (branch === undefined || row.branch === branch) &&
    (kind === undefined || row.kind === kind) &&
    (since === undefined || row.occurredAt >= since) &&
    (until === undefined || row.occurredAt <= until)
  )
}
