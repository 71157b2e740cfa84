import { type Answer, columnsOf, type Question, type RecordTest } from './question.ts'
import { fits } from './value-rule.ts'

/** A record as its driver returns it, by the names of the columns. */
export type StoredRecord = Readonly<Record<string, unknown>>

/** The parts of a store that the questions read. All functions only read. */
export interface ReadableStore {
  /** Counts the rows of a table that has no ids. */
  count(table: string): Promise<number>
  /** Yields batches of records, sorted by id, with `id` and these columns. */
  scan(table: string, columns: readonly string[]): AsyncIterable<readonly StoredRecord[]>
}

/** Distinct values that a test for shared values keeps. Above, the answer is incomplete. */
const maxDistinct = 500_000

/** Answers the questions in their order. `isLate` ends the search: the answer is then marked as incomplete. */
export async function countRecords(
  store: ReadableStore,
  questions: readonly Question[],
  isLate: () => boolean,
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (const question of questions) answers.push(await answer(store, question, isLate))
  return answers
}

async function answer(
  store: ReadableStore,
  { table, test }: Question,
  isLate: () => boolean,
): Promise<Answer> {
  if (isLate()) return { total: 0, count: 0, isComplete: false }
  const isCount = columnsOf(test).length === 0
  if (isCount) {
    const count = await store.count(table)
    return { total: count, count, isComplete: true }
  }
  const counter = await counterOf(store, test, isLate)
  // The counter itself may have read another table.
  if (isLate()) return { total: 0, count: 0, isComplete: false }
  let total = 0
  for await (const records of store.scan(table, columnsOf(test))) {
    total += records.length
    for (const record of records) counter.add(record)
    if (isLate()) return { total, count: counter.count(), isComplete: false }
  }
  return { total, count: counter.count(), isComplete: counter.isComplete() }
}

interface Counter {
  add(record: StoredRecord): void
  count(): number
  isComplete(): boolean
}

async function counterOf(
  store: ReadableStore,
  test: RecordTest,
  isLate: () => boolean,
): Promise<Counter> {
  switch (test.kind) {
    case 'all':
      return counting(() => 1)
    case 'links':
      return counting((record) => lengthOf(record[test.column ?? '']))
    case 'missing':
      return counting((record) => Number(isMissing(record[test.column])))
    case 'present':
      return counting((record) => Number(!isMissing(record[test.column])))
    case 'unfit':
      return counting((record) => Number(!fits(test.rule, record[test.column])))
    case 'shared':
      return sharing(test)
    case 'dangling': {
      const ids = await idsOf(store, test.target, isLate)
      const isDangling = (value: unknown) => !isMissing(value) && !ids.has(Number(value))
      return counting((record) => Number(isDangling(record[test.column])))
    }
  }
}

function counting(weigh: (record: StoredRecord) => number): Counter {
  let count = 0
  return {
    add(record) {
      count += weigh(record)
    },
    count: () => count,
    isComplete: () => true,
  }
}

/** Counts the records of each value that occurs twice or more. A record with NULL in one of the columns shares nothing. */
function sharing({ columns, folds }: { columns: readonly string[]; folds: boolean }): Counter {
  const counts = new Map<string, number>()
  let isFull = false
  return {
    add(record) {
      const values = columns.map((column) => record[column])
      if (values.some(isMissing)) return
      const text = JSON.stringify(values)
      const key = folds ? text.toLowerCase() : text
      const known = counts.get(key)
      if (known === undefined && counts.size >= maxDistinct) isFull = true
      else counts.set(key, (known ?? 0) + 1)
    },
    count: () =>
      [...counts.values()].filter((each) => each > 1).reduce((sum, each) => sum + each, 0),
    isComplete: () => !isFull,
  }
}

async function idsOf(store: ReadableStore, table: string, isLate: () => boolean) {
  const ids = new Set<number>()
  for await (const records of store.scan(table, [])) {
    for (const { id } of records) ids.add(Number(id))
    if (isLate()) break
  }
  return ids
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}
