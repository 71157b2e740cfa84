import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../../../client/contract.ts'
import { auditKinds as known } from '../../../../domain/records.ts'
import { cursorText, filtersOf, pageOf, pageSize, requestOf } from './audit-query.ts'
import { auditKinds } from './kind-texts.ts'

const entry = (id: number, occurred_at: string): AuditEntry => ({
  id,
  environment_id: null,
  project_id: null,
  branch: null,
  kind: 'paused',
  detail: '',
  occurred_at,
  operator: 'ada',
  request_id: null,
})

test('each kind of audit entry has its words', () => {
  expect([...auditKinds].sort()).toEqual([...known].sort())
})

describe('the filters of an address', () => {
  test('become the query of the API', () => {
    const filters = filtersOf(
      '?project=7&branch=feature%2Fa&kind=paused&since=2026-01-31T12:00Z&until=2026-01-31T13:00Z',
    )
    expect(requestOf(filters)).toEqual({
      project_id: 7,
      branch: 'feature/a',
      kind: 'paused',
      since: '2026-01-31T12:00:00.000Z',
      until: '2026-01-31T13:00:59.999Z',
      limit: pageSize + 1,
    })
    expect(requestOf(filtersOf(''))).toEqual({ limit: pageSize + 1 })
  })

  test('are ignored if they are not valid', () => {
    const query = '?project=x&kind=nonsense&since=yesterday&until=&before=1,x&branch=%20'
    expect(requestOf(filtersOf(query))).toEqual({ limit: pageSize + 1 })
  })

  test('end at the cursor of a page, unless the period ends before', () => {
    const early = '2026-01-31T12:00:00.000Z'
    const before = cursorText({ occurredAt: early, id: 9 })
    expect(requestOf(filtersOf(`?before=${before}`)).until).toBe(early)
    expect(requestOf(filtersOf(`?before=${before}&until=2026-01-31T11:00Z`)).until).toBe(
      '2026-01-31T11:00:59.999Z',
    )
  })
})

describe('pages', () => {
  const times = ['2026-01-31T12:00:01.000Z', '2026-01-31T12:00:00.000Z']

  test('hold each entry once, also if many have the same time', () => {
    const all = Array.from({ length: 130 }, (_, at) =>
      entry(200 - at, (at < 20 ? times[0] : times[1]) ?? ''),
    )
    const seen: number[] = []
    let before: ReturnType<typeof pageOf>['next']
    let pages = 0
    do {
      const cursor = before
      const answered = all.filter(({ occurred_at }) => !cursor || occurred_at <= cursor.occurredAt)
      const page = pageOf(answered, cursor)
      seen.push(...page.entries.map(({ id }) => id))
      before = page.next
      pages += 1
    } while (before)
    expect(pages).toBe(3)
    expect(seen).toEqual(all.map(({ id }) => id))
  })

  test('have no next page after the last entry', () => {
    expect(pageOf([], undefined)).toEqual({ entries: [], next: undefined })
    const full = Array.from({ length: pageSize }, (_, at) => entry(100 - at, times[0] ?? ''))
    expect(pageOf(full, undefined).next).toBeUndefined()
  })
})
