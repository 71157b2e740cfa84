import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Repositories } from '../../src/container.js'
import type { AppError } from '../../src/domain/app-error.js'
import type { Repository, Sort, Stored } from '../../src/repositories/repository.js'
import { compare, comparisons, inOrder } from './memory-sort.js'
import type { TableOf } from './memory-tables.js'
import { testStores } from './stores.js'

interface Subject<Row extends Stored, Draft extends object, Filter, Details extends Row, Refs> {
  title: string
  table: TableOf<Row, Draft, Filter, Details>
  of: (repositories: Repositories) => Repository<Row, Draft, Filter, Details> & Owners
  /** Creates the records that drafts refer to. */
  seed?: (repositories: Repositories) => Promise<Refs>
  /** Returns a draft. Drafts of different `n` have different unique values. */
  draft: (n: number, refs: Refs) => Draft
  /** Unique keys that drafts leave NULL: NULL is not unique. */
  unset?: readonly string[]
}

/** Repositories of records with an owner have this function. */
interface Owners {
  owner?(id: number): Promise<number | null | undefined>
}

/** Tests the contract of a repository on every store that the tests can open. */
export function describeRepository<
  Row extends Stored,
  Draft extends object = Omit<Row, keyof Stored>,
  Filter = unknown,
  Details extends Row = Row,
  Refs = undefined,
>(subject: Subject<Row, Draft, Filter, Details, Refs>) {
  const { table } = subject
  const lists = (table.many ?? []).map(({ field }) => field)
  const page = (page: number, pageSize: number, filter = {}) =>
    ({ page, pageSize, ...filter }) as Parameters<Repository<Row, Draft, Filter>['list']>[0]
  /** Omits many-to-many fields: a draft has keys in them, a record has the related records. */
  const withoutLists = (draft: object) =>
    Object.fromEntries(Object.entries(draft).filter(([key]) => !lists.includes(key)))
  /** Returns the summaries of the records that the keys of a draft refer to. */
  const summariesOf = (draft: object) =>
    Object.fromEntries(
      (table.references ?? []).map(({ key, as }) => {
        const id = Object(draft)[key]
        return [as, id === null ? null : expect.objectContaining({ id })]
      }),
    )

  describe.each(testStores)(`${subject.title} in $name`, (store) => {
    let repository: Repository<Row, Draft, Filter, Details> & Owners
    let close: () => Promise<void>
    let refs: Refs
    let drafts = 0

    const start = new Date('2020-01-01T00:00:00.000Z')
    const newRow = (createdAt = start) => ({
      ...subject.draft(++drafts, refs),
      createdAt,
      updatedAt: createdAt,
    })

    beforeAll(async () => {
      const opened = await store.open()
      repository = subject.of(opened.repositories)
      close = opened.close
      refs = (await subject.seed?.(opened.repositories)) as Refs
    })
    afterAll(() => close())

    test('create returns the record that find reads back', async () => {
      const row = newRow()
      const created = await repository.create(row)
      expect(created).toMatchObject({ ...withoutLists(row), id: created.id })
      expect(Number.isSafeInteger(created.id) && created.id > 0).toBe(true)
      expect(await repository.find(created.id)).toMatchObject(created)
    })

    test('find, update and remove report an absent id', async () => {
      const absent = 2 ** 31 - 1
      expect(await repository.find(absent)).toBeUndefined()
      expect(await repository.update(absent, stamp(start))).toBeUndefined()
      expect(await repository.remove(absent)).toBe(false)
    })

    test('list sorts by creation time and id, newest first, and counts all pages', async () => {
      const before = (await repository.list(page(1, 1))).total
      const older = await repository.create(newRow(new Date('2030-01-01')))
      const newer = await repository.create(newRow(new Date('2030-01-02')))
      const sameInstant = await repository.create(newRow(new Date('2030-01-02')))

      const first = await repository.list(page(1, 2))
      const second = await repository.list(page(2, 2))
      expect(first.rows.map(({ id }) => id)).toEqual([sameInstant.id, newer.id])
      expect(second.rows[0]?.id).toBe(older.id)
      expect([first.total, second.total]).toEqual([before + 3, before + 3])
      expect((await repository.list(page(1000, 100))).rows).toEqual([])
    })

    test('update changes the given fields and no others', async () => {
      const created = await repository.create(newRow())
      const updatedAt = new Date('2021-01-01T00:00:00.001Z')
      const fields = subject.draft(++drafts, refs)
      expect(await repository.update(created.id, stamp(updatedAt))).toEqual({
        ...created,
        updatedAt,
      })
      const changed = {
        ...created,
        ...withoutLists({ ...fields }),
        ...summariesOf(fields),
        updatedAt,
      }
      expect(await repository.update(created.id, { ...fields, updatedAt })).toEqual(changed)
      expect(await repository.find(created.id)).toMatchObject(changed)
    })

    test.each(table.owner ? [[table.owner]] : [])(
      'owner returns the id of a user',
      async ([key = '', ...rest]) => {
        const created = await repository.create(newRow())
        const owner = await repository.owner?.(created.id)
        expect(owner).toEqual(rest.length > 0 ? expect.any(Number) : Object(created)[key])
        expect(await repository.owner?.(2 ** 31 - 1)).toBeUndefined()
      },
    )

    test.each(table.viewers ? [[]] : [])(
      'list shows a user only what the user may see',
      async () => {
        await repository.create(newRow())
        const stranger = await repository.list(page(1, 1, { visibleTo: 2 ** 31 - 1 }))
        expect(stranger).toMatchObject({ rows: [], total: 0 })
      },
    )

    test('a check refuses a write, and no other write comes after the check', async () => {
      const { id } = await repository.create(newRow())
      const refusal = new Error('refused')
      const refuse = () => {
        throw refusal
      }
      await expect(repository.update(id, stamp(new Date()), refuse)).rejects.toBe(refusal)
      await expect(repository.remove(id, refuse)).rejects.toBe(refusal)
      const isFirst = ({ updatedAt }: Row) => {
        if (updatedAt.getTime() !== start.getTime()) throw refusal
      }
      const writes = Array.from({ length: 20 }, (_, n) =>
        n % 4 === 0
          ? repository.remove(id, isFirst)
          : repository.update(id, stamp(new Date(start.getTime() + n)), isFirst),
      )
      const results = await Promise.allSettled(writes)
      expect(
        results.filter((result) => result.status === 'fulfilled' && result.value),
      ).toHaveLength(1)
    })

    test('remove deletes the record', async () => {
      const { id } = await repository.create(newRow())
      expect(await repository.remove(id)).toBe(true)
      expect(await repository.find(id)).toBeUndefined()
      expect(await repository.remove(id)).toBe(false)
    })

    const unique = (table.unique ?? []).map((each) => [each].flat())
    const isSet = (field: string) => !subject.unset?.includes(field)
    test.each(
      unique
        .filter((fields) => fields.every(isSet))
        .map((fields) => [fields.join(' + '), fields] as const),
    )('%s stays unique under concurrent writes', async (_, fields) => {
      const taken = await repository.create(newRow())
      const other = await repository.create(newRow())
      const clash = Object.fromEntries(fields.map((field) => [field, Object(taken)[field]]))
      const conflict = expect.objectContaining({ kind: 'conflict' } satisfies Partial<AppError>)
      await expect(repository.create({ ...newRow(), ...clash })).rejects.toEqual(conflict)
      await expect(repository.update(other.id, { ...stamp(start), ...clash })).rejects.toEqual(
        conflict,
      )

      const row = newRow()
      const attempts = Array.from({ length: 20 }, () => repository.create(row))
      const results = await Promise.allSettled(attempts)
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })

    test.each(table.references ?? [])(
      '$key must be the id of an existing record',
      async ({ key, as, words }) => {
        const { [key]: id, [as]: summary } = Object(await repository.create(newRow()))
        expect(summary).toEqual(id === null ? null : expect.objectContaining({ id }))
        const absent = { [key]: 2 ** 31 - 1 }
        const missing = { kind: 'not-found', message: `${words} not found` }
        const { id: own } = await repository.create(newRow())
        await expect(repository.create({ ...newRow(), ...absent })).rejects.toMatchObject(missing)
        await expect(repository.update(own, { ...stamp(start), ...absent })).rejects.toMatchObject(
          missing,
        )
        expect(await repository.update(2 ** 31 - 1, { ...stamp(start), ...absent })).toBeUndefined()
      },
    )

    test.each(table.many ?? [])(
      '$field must list existing records',
      async ({ field, path, key }) => {
        const row = newRow()
        const created = await repository.create(row)
        const keysOf = (record: object) =>
          Object(record)[field].map((other: Record<string, unknown>) => other[key])
        expect(keysOf(created)).toEqual(Object(row)[field])
        expect(keysOf((await repository.update(created.id, stamp(start))) ?? {})).toEqual(
          Object(row)[field],
        )
        const unlinked = await repository.update(created.id, { ...stamp(start), [field]: [] })
        expect(keysOf(unlinked ?? {})).toEqual([])

        const unknown = { [field]: [key === 'id' ? 2 ** 31 - 1 : 'no such key'] }
        const invalid = { kind: 'invalid', details: [{ path }] }
        await expect(repository.create({ ...newRow(), ...unknown })).rejects.toMatchObject(invalid)
        await expect(
          repository.update(created.id, { ...stamp(start), ...unknown }),
        ).rejects.toMatchObject(invalid)
        expect(
          await repository.update(2 ** 31 - 1, { ...stamp(start), ...unknown }),
        ).toBeUndefined()
      },
    )

    test.each((table.filters ?? []).map((field) => [field]))(
      'list filters records and their total by %s',
      async (field) => {
        const created = await repository.create(newRow())
        const same = await repository.list(page(1, 100, { [field]: created[field] ?? undefined }))
        expect(same.rows.map(({ id }) => id)).toContain(created.id)
        if (created[field] !== null)
          expect(new Set(same.rows.map((row) => row[field]))).toEqual(new Set([created[field]]))
        expect(same.total).toBe(same.rows.length)
      },
    )

    test.each(['id', 'createdAt', 'updatedAt', ...(table.sorts ?? [])])(
      'list sorts by %s and continues after a position',
      async (field) => {
        const nulls = table.nullable?.some((each) => each === field) ? [{}, {}] : []
        for (const _ of [1, 2, 3]) await repository.create(newRow())
        for (const row of nulls) await repository.create({ ...newRow(), ...row, [field]: null })
        for (const descending of [false, true]) {
          const sort: Sort = [{ field, descending }]
          const order = inOrder(sort, table.decimals)
          const { rows, total } = await repository.list(page(1, 100, { sort }))
          expect(rows).toEqual(rows.toSorted(order))
          expect(rows).toHaveLength(total)

          let listing = await repository.list(page(1, 3, { sort }))
          const walked = [...listing.rows]
          while (listing.hasMore) {
            const last = Object(walked.at(-1))
            const after = { values: [last[field]], id: last.id }
            listing = await repository.list(page(1, 3, { sort, after }))
            expect(listing.total).toBe(total)
            walked.push(...listing.rows)
          }
          expect(walked).toEqual(rows)
        }
      },
    )

    test.each((table.ranges ?? []).map((field) => [field]))(
      'list filters records and their total by comparison of %s',
      async (field) => {
        const middle = [newRow(), newRow(), newRow()]
        for (const row of middle) await repository.create(row)
        const bound = Object(middle[1])[field]
        const { rows } = await repository.list(page(1, 100))
        for (const [operator, meets] of Object.entries(comparisons)) {
          const filter = { [field]: { [operator]: bound } }
          const found = await repository.list(page(1, 100, filter))
          const isDecimal = table.decimals?.includes(field) ?? false
          const expected = rows.filter(
            (row) => row[field] !== null && meets(compare(row[field], bound, isDecimal)),
          )
          expect(found).toMatchObject({ rows: expected, total: expected.length })
        }
      },
    )

    test.each((table.search ?? []).map((field) => [field]))(
      'list searches %s case-insensitively, without wildcards',
      async (field) => {
        const texts = [
          '100% Ärger',
          'a_b',
          'Ärger [x]',
          `it's "so"`,
          'back\\slash',
          '😀 Ж*?',
          'ΟΔΟΣ',
        ]
        const ids = new Map<string, number>()
        for (const text of texts)
          ids.set(text, (await repository.create({ ...newRow(), [field]: text })).id)
        const found = async (search: string) => {
          const { rows } = await repository.list(page(1, 100, { search }))
          const known = [...ids.values()]
          return rows
            .map(({ id }) => id)
            .filter((id) => known.includes(id))
            .toSorted((a, b) => a - b)
        }
        const idsOf = (...wanted: string[]) => wanted.map((text) => ids.get(text))
        expect(await found('ÄRGER')).toEqual(idsOf('100% Ärger', 'Ärger [x]'))
        expect(await found('0%')).toEqual(idsOf('100% Ärger'))
        expect(await found('a_b')).toEqual(idsOf('a_b'))
        expect(await found('[x]')).toEqual(idsOf('Ärger [x]'))
        expect(await found(`'s "S`)).toEqual(idsOf(`it's "so"`))
        expect(await found('k\\s')).toEqual(idsOf('back\\slash'))
        expect(await found('😀 ж*')).toEqual(idsOf('😀 Ж*?'))
        expect(await found('οδοσ')).toEqual(idsOf('ΟΔΟΣ'))
        expect(await found('%')).toEqual(idsOf('100% Ärger'))
      },
    )
  })
}

/** Changes that update nothing except the time. */
function stamp<Changes>(updatedAt: Date) {
  return { updatedAt } as Changes & { updatedAt: Date }
}
