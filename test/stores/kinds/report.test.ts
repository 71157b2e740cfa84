import { describe, expect, test } from 'vitest'
import { failedFiles, hasFailed, joined, rowOf, rowWithout } from './report.ts'
import { tableOf } from './table.ts'

const server = 'MariaDB 10.11.19'

/** The part of the Vitest JSON report that `rowOf` reads. */
function reportOf(...tests: readonly { status: string; meta?: object }[]): string {
  return JSON.stringify({ testResults: [fileOf('kinds.store.ts', ...tests)] })
}

function fileOf(name: string, ...tests: readonly { status: string; meta?: object }[]) {
  const status = tests.some((test) => test.status === 'failed') ? 'failed' : 'passed'
  return { name, status, assertionResults: tests }
}

const passed = { status: 'passed', meta: { server } }
const skipped = (reason?: string) => ({ status: 'skipped', meta: { reason } })

describe('the result row of a store kind', () => {
  test('counts passed, failed and skipped tests, and lists the reasons for skipping', () => {
    const report = reportOf(
      { status: 'passed', meta: { server, own: 37 } },
      passed,
      skipped('a file has no server'),
      skipped('a file has no server'),
      { status: 'failed', meta: { server } },
    )
    expect(rowOf('mysql', { report, code: 1, seconds: 9 })).toEqual({
      kind: 'mysql',
      server,
      passed: 2,
      failed: 1,
      skipped: 2,
      own: 37,
      seconds: 9,
      standIns: [],
      reasons: [['a file has no server', 2]],
    })
  })

  test('names no server if no test ran on one, and names the stand-in that tests ran on instead', () => {
    const standIn = 'a stand-in'
    const report = reportOf(
      { status: 'passed' },
      { status: 'passed', meta: { standIn } },
      skipped('set TEST_SQLSERVER_URL'),
    )
    const row = rowOf('sqlserver', { report, code: 0, seconds: 9 })
    expect(row).toMatchObject({ server: undefined, passed: 2, failed: 0 })
    expect(hasFailed(row)).toBe(false)
    expect(tableOf([row])).toMatch(
      /not run on a server .*\n +1 passed on a stand-in\n +1 skipped: set TEST_SQLSERVER_URL\n/,
    )
  })

  test.each([
    ['Vitest wrote no report', undefined, 137],
    ['Vitest failed although no test failed', reportOf(passed, skipped()), 1],
    ['there is no test', reportOf(), 0],
  ])('counts as failed if %s', (_, report, code) => {
    expect(hasFailed(rowOf('mysql', { report, code, seconds: 1 }))).toBe(true)
  })
})

test('a file that failed counts by its second attempt', () => {
  const failed = fileOf('blog.store.ts', { status: 'failed' }, passed)
  const first = JSON.stringify({ testResults: [fileOf('kinds.store.ts', passed), failed] })
  expect(failedFiles(first)).toEqual(['blog.store.ts'])
  const second = JSON.stringify({ testResults: [fileOf('blog.store.ts', passed, passed)] })
  const row = rowOf('mysql', { report: joined(first, second), code: 0, seconds: 1 })
  expect(row).toMatchObject({ passed: 3, failed: 0 })
})

test('a second attempt without a report counts as failed', () => {
  const first = reportOf({ status: 'failed' }, passed)
  const row = rowOf('mysql', { report: joined(first, undefined), code: 1, seconds: 1 })
  expect(hasFailed(row)).toBe(true)
})

test('the result table shows the server, the counts and the reasons for skipping of each kind', () => {
  const report = reportOf({ status: 'passed', meta: { server, own: 222 } }, skipped('no signals'))
  const rows = [
    rowOf('mysql', { report, code: 0, seconds: 85 }),
    rowOf('mongodb', { report: undefined, code: 1, seconds: 3 }),
    rowWithout('sqlserver', 'can not be generated yet'),
  ]
  expect(tableOf(rows)).toBe(`\
kind       server               tests  passed  failed  skipped  own tests  time
mysql      MariaDB 10.11.19         2       1       0        1        222  85 s
    1 skipped: no signals
mongodb    not run on a server      0       0       0        0          0   3 s
    FAILED: vitest ended with 1, see above
sqlserver  not run on a server      0       0       0        0          0   0 s
    can not be generated yet

failed: mongodb
`)
  expect(tableOf(rows.slice(0, 1))).toContain('1 of 1 kinds ran on a server, and nothing failed')
})
