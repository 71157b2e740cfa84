import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Repositories } from '../../src/container.js'
import type { AppError } from '../../src/domain/app-error.js'
import type { Repository, Stored } from '../../src/repositories/repository.js'
import { testStores } from './stores.js'

interface Subject<Row extends Stored> {
  title: string
  of: (repositories: Repositories) => Repository<Row>
  /** What to create; no two numbers share a value of a unique field. */
  draft: (n: number) => Omit<Row, keyof Stored>
  unique: readonly (keyof Omit<Row, keyof Stored>)[]
}

/** What every adapter of a repository promises, on every store that the tests can open. */
export function describeRepository<Row extends Stored>(subject: Subject<Row>) {
  describe.each(testStores)(`${subject.title} in $name`, (store) => {
    let repository: Repository<Row>
    let close: () => Promise<void>
    let drafts = 0

    const start = new Date('2020-01-01T00:00:00.000Z')
    const newRow = (createdAt = start) =>
      ({ ...subject.draft(++drafts), createdAt, updatedAt: createdAt }) as Omit<Row, 'id'>

    beforeAll(async () => {
      const opened = await store.open()
      repository = subject.of(opened.repositories)
      close = opened.close
    })
    afterAll(() => close())

    test('what is created reads back the same', async () => {
      const row = newRow()
      const created = await repository.create(row)
      expect(created).toEqual({ ...row, id: created.id })
      expect(Number.isSafeInteger(created.id) && created.id > 0).toBe(true)
      expect(await repository.find(created.id)).toEqual(created)
    })

    test('an id that no record has finds, changes and removes nothing', async () => {
      const absent = 2 ** 31 - 1
      expect(await repository.find(absent)).toBeUndefined()
      expect(await repository.update(absent, { updatedAt: start } as Partial<Row>)).toBeUndefined()
      expect(await repository.remove(absent)).toBe(false)
    })

    test('a list is newest first, then by id, and its total counts all pages', async () => {
      const before = (await repository.list({ page: 1, pageSize: 1 })).total
      const older = await repository.create(newRow(new Date('2030-01-01')))
      const newer = await repository.create(newRow(new Date('2030-01-02')))
      const sameInstant = await repository.create(newRow(new Date('2030-01-02')))

      const first = await repository.list({ page: 1, pageSize: 2 })
      const second = await repository.list({ page: 2, pageSize: 2 })
      expect(first.rows.map(({ id }) => id)).toEqual([sameInstant.id, newer.id])
      expect(second.rows[0]?.id).toBe(older.id)
      expect([first.total, second.total]).toEqual([before + 3, before + 3])
      expect((await repository.list({ page: 1000, pageSize: 100 })).rows).toEqual([])
    })

    test('an update changes what it names and leaves the rest', async () => {
      const created = await repository.create(newRow())
      const updatedAt = new Date('2021-01-01T00:00:00.001Z')
      const fields = subject.draft(++drafts)
      expect(await repository.update(created.id, { updatedAt } as Partial<Row>)).toEqual({
        ...created,
        updatedAt,
      })
      expect(await repository.update(created.id, fields as Partial<Row>)).toEqual({
        ...created,
        ...fields,
        updatedAt,
      })
      expect(await repository.find(created.id)).toEqual({ ...created, ...fields, updatedAt })
    })

    test('what is removed is gone', async () => {
      const { id } = await repository.create(newRow())
      expect(await repository.remove(id)).toBe(true)
      expect(await repository.find(id)).toBeUndefined()
      expect(await repository.remove(id)).toBe(false)
    })

    test.each(subject.unique.map((field) => [field]))(
      '%s is unique, also under concurrent writers',
      async (field) => {
        const taken = await repository.create(newRow())
        const other = await repository.create(newRow())
        const clash = { [field]: taken[field] } as unknown as Partial<Row>
        const conflict = expect.objectContaining({ kind: 'conflict' } satisfies Partial<AppError>)
        await expect(repository.create({ ...newRow(), ...clash })).rejects.toEqual(conflict)
        await expect(repository.update(other.id, clash)).rejects.toEqual(conflict)

        const row = newRow()
        const attempts = Array.from({ length: 20 }, () => repository.create(row))
        const results = await Promise.allSettled(attempts)
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      },
    )
  })
}
